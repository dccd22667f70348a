import { z } from 'zod';
import type { Exchange } from './exchange.ts';
import { bodyCharactersInFlood } from './outcome.ts';

/** Section "Errors": the body of every error response. Fields beyond the documented ones are allowed. */
export const errorBodySchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.string(),
    message: z.string(),
    retry_after_seconds: z.int().optional(),
  }),
});

/** Section "Errors": the machine-readable code of a 429. */
export const rateLimitCode = 'rate_limit_exceeded';

/** A raw body, parsed: JSON with its value, or something else with the reason. */
export type ParsedBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'not-json'; readonly why: string };

export function parseBody(raw: string | null): ParsedBody {
  if (raw === null || raw === '') return { kind: 'not-json', why: 'the body is empty' };
  try {
    return { kind: 'json', value: JSON.parse(raw) as unknown };
  } catch {
    return { kind: 'not-json', why: isHtml(raw) ? 'the body is HTML' : 'the body is not JSON' };
  }
}

/** Whether a raw body begins as an HTML page. */
export function isHtml(raw: string | null): boolean {
  return raw !== null && /^\s*<(!doctype|html)/i.test(raw);
}

/** Why nothing can be said of a body: the trace does not show what all of it says. */
export type Unjudgeable = 'ended-early' | 'too-long' | 'answers-head';

/** Several readers use each body, and many answers have the same one: so many short texts are parsed once. */
const parsedMax = 4_096;
const shortCharactersMax = 1_024;
const parsed = new Map<string, ParsedBody>();

function parsedOnce(raw: string | null): ParsedBody {
  if (raw === null || raw.length > shortCharactersMax) return parseBody(raw);
  const known = parsed.get(raw);
  if (known !== undefined) return known;
  if (parsed.size === parsedMax) parsed.clear();
  const body = parseBody(raw);
  parsed.set(raw, body);
  return body;
}

export type ExchangeBody = ParsedBody | { readonly kind: 'left-out'; readonly why: Unjudgeable };

/** The value at a path of object keys inside a parsed body; `undefined` where there is none. */
export function fieldOf(body: ExchangeBody, ...path: readonly string[]): unknown {
  if (body.kind !== 'json') return undefined;
  let value: unknown = body.value;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** The body of an exchange, parsed; left out where it is not whole, so that nothing can be said of it. */
export function bodyOf(exchange: Exchange): ExchangeBody {
  if ((exchange.body?.length ?? 0) <= shortCharactersMax) return exchangeBody(exchange);
  const known = parsedLong.get(exchange);
  if (known !== undefined) return known;
  const body = exchangeBody(exchange);
  parsedLong.set(exchange, body);
  return body;
}

/** A long body belongs to one exchange alone. */
const parsedLong = new WeakMap<Exchange, ExchangeBody>();

function exchangeBody({ method, body, bodyState }: Exchange): ExchangeBody {
  // RFC 9110 §9.3.2
  if (method === 'HEAD') return { kind: 'left-out', why: 'answers-head' };
  const state = bodyState ?? ((body?.length ?? 0) >= bodyCharactersInFlood ? 'cut-or-whole' : 'whole');
  switch (state) {
    case 'whole':
      return parsedOnce(body);
    case 'partial':
      return { kind: 'left-out', why: 'ended-early' };
    case 'until-close':
      return unlessCut(body, 'ended-early');
    case 'beyond-bound':
    case 'cut-or-whole':
      return unlessCut(body, 'too-long');
    default:
      return state satisfies never;
  }
}

/** A body that may have been cut is judged where no rest could change what it is. */
function unlessCut(raw: string | null, why: Unjudgeable): ExchangeBody {
  const body = parsedOnce(raw);
  return body.kind === 'json' || cannotBeJson(raw ?? '') ? body : { kind: 'left-out', why };
}

/** Whether no JSON text begins so (RFC 8259 §2 and §3): white space, then a character that begins no value. */
function cannotBeJson(beginning: string): boolean {
  return /^[ \t\n\r]*[^ \t\n\r{["\-0-9tfn]/.test(beginning);
}

/** A field inside the `error` object of an exchange's body; `undefined` where there is none. */
export function errorField(exchange: Exchange, name: string): unknown {
  return fieldOf(bodyOf(exchange), 'error', name);
}

/** The wait that the body of a 429 announces, in seconds; `null` where that is not a positive integer. */
export function announcedSeconds(exchange: Exchange): number | null {
  const seconds = errorField(exchange, 'retry_after_seconds');
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0 ? seconds : null;
}
