import { parseDictionary, parseList } from 'structured-headers';
import type { Exchange } from './exchange.ts';

/**
 * One quota policy of RateLimit-Policy, and what is said of it in RateLimit (draft-ietf-httpapi-ratelimit-headers, sections
 * RateLimit-Policy Field and RateLimit Field). Values stand as the parser gives them; `undefined` where one is left out.
 */
export type NamedParameters = {
  readonly name: unknown;
  readonly parameters: ReadonlyMap<string, unknown>;
};

/** The items of a structured field that is a list (RFC 9651 §3.1); `null` where the field is none, or an item is a list itself. */
export function itemsOf(raw: string): readonly NamedParameters[] | null {
  try {
    const items = parseList(raw);
    return items.some(([name]) => Array.isArray(name))
      ? null
      : items.map(([name, parameters]) => ({ name, parameters }));
  } catch {
    return null;
  }
}

/** A parameter that is an integer of at least 0, as text; `null` where it is something else, or not there. */
export function integerParameter(item: NamedParameters | undefined, name: string): string | null {
  const value = item?.parameters.get(name);
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? String(value) : null;
}

/** What an answer says of its limit by these fields, each as plain text: `null` where it is not said, or not readable. */
export type SaidByFields = {
  /** `q` */
  readonly limit: string | null;
  /** `w`, s. */
  readonly window: string | null;
  /** `r` */
  readonly remaining: string | null;
  /** `t`, s. */
  readonly reset: string | null;
};

/**
 * What RateLimit says of its first limit, and RateLimit-Policy of the policy with that name, or of its first one.
 * @param policy the raw RateLimit-Policy; `null` where the answer has none.
 */
export function saidByFields(policy: string | null, limit: string | null): SaidByFields {
  const [current] = itemsOf(limit ?? '') ?? [];
  const policies = itemsOf(policy ?? '') ?? [];
  const own = policies.find(({ name }) => name === current?.name) ?? policies[0];
  return {
    limit: integerParameter(own, 'q'),
    window: integerParameter(own, 'w'),
    remaining: integerParameter(current, 'r'),
    reset: integerParameter(current, 't'),
  };
}

/** What a RateLimit of version 07 says: `limit=100, remaining=50, reset=30`; `null` where it is no dictionary (RFC 9651 §3.2). */
export function saidByDictionary(raw: string): Exchange['headers'] | null {
  try {
    const members = parseDictionary(raw);
    const textOf = (name: string): string | null => {
      const [value] = members.get(name) ?? [];
      return value === undefined ? null : String(value);
    };
    return { limit: textOf('limit'), remaining: textOf('remaining'), reset: textOf('reset') };
  } catch {
    return null;
  }
}

/**
 * The number that a list begins with, with or without parameters, as in `100, 100;w=60` of the drafts up to version 06, or
 * `76;w=21600`; also of pairs, as `20:1,100:120`. The text itself where it is something else.
 */
export function firstOfList(raw: string): string {
  const [, paired] = pairs.exec(raw) ?? [];
  if (paired !== undefined) return paired;
  const [first] = itemsOf(raw) ?? [];
  return typeof first?.name === 'number' ? String(first.name) : raw;
}

/** Numbers with the lengths of their windows, s, as some APIs write them. */
const pairs = /^\s*(\d{1,15})\s*:\s*\d{1,15}\s*(?:,\s*\d{1,15}\s*:\s*\d{1,15}\s*)*$/;
