import { type Document, limitedStatusesOf } from '../contract/document/document.ts';
import {
  countsUp,
  keysOf,
  listedIn,
  promisedHeaders,
  recordedNames,
  remainingFormOf,
} from '../contract/document/headers.ts';
import { recordedRetryAfter, usualRetryAfter } from '../contract/document/retry-after.ts';
import { headersIn, type ScopedHeaders } from '../contract/document/scope-headers.ts';
import { type RateLimitHeader, rateLimitHeaderNames } from '../contract/rate-limit-headers.ts';
import type { ResetUnit } from '../contract/reset-units.ts';
import type { Behaviour, DecidedRequest, HeaderField } from './behaviour.ts';
import { windowSeconds } from './window-seconds.ts';

/**
 * A behaviour, with its faults, whose headers are told as a document names and writes them. Faults are about the usual
 * three; what they change is told in the document's way too.
 */
export function inHeadersOf(
  document: ScopedHeaders & Pick<Document, 'refusal'>,
  behaviour: Behaviour,
): Behaviour {
  return inRateHeadersOf(document, inRetryAfterOf(document, behaviour));
}

/** The wait of a refusal in a header that is called otherwise than usual. */
function inRetryAfterOf({ refusal }: Pick<Document, 'refusal'>, behaviour: Behaviour): Behaviour {
  const name = recordedRetryAfter(refusal);
  if (name === usualRetryAfter) return behaviour;
  return {
    ...behaviour,
    overLimit: (counted) => {
      const ruling = behaviour.overLimit(counted);
      if (ruling.kind !== 'refuse') return ruling;
      const { error } = ruling;
      const headers = error.headers?.map(
        ([usual, text]): HeaderField => [usual === usualRetryAfter ? name : usual, text],
      );
      return headers === undefined ? ruling : { ...ruling, error: { ...error, headers } };
    },
  };
}

function inRateHeadersOf(
  document: ScopedHeaders & Pick<Document, 'refusal'>,
  behaviour: Behaviour,
): Behaviour {
  const limited = limitedStatusesOf(document);
  const tellings = new Map(
    Object.keys(document.scopes).map((scope) => [scope, tellingOf(headersIn(document, scope), limited)]),
  );
  if ([...tellings.values()].every((telling) => telling === null)) return behaviour;
  return {
    ...behaviour,
    rateLimitHeaders: (counted, status) => {
      const told = behaviour.rateLimitHeaders(counted, status);
      return tellings.get(counted.scope)?.(told, { counted, status }) ?? told;
    },
  };
}

/** An answer, by the request that was counted. */
type AnswerTo = { readonly counted: DecidedRequest; readonly status: number };

/** The usual three, and what else an answer carries, as a scope tells them. */
type Telling = (told: readonly HeaderField[], answer: AnswerTo) => readonly HeaderField[];

/** @returns `null` where a scope has the usual three, or none. */
function tellingOf(said: Pick<Document, 'headers'>, limited: readonly number[]): Telling | null {
  const { headers } = said;
  if (headers === 'x-ratelimit' || headers === 'none') return null;
  const { on } = promisedHeaders(said);
  const isOn = (header: RateLimitHeader, status: number): boolean =>
    on[header] === 'all' || (on[header] === 'limited') === limited.includes(status);
  const named = inNamesOf(said);
  return (told, { counted, status }) => {
    const carried = entries.flatMap(([header]) => (isOn(header, status) ? [header] : []));
    if (carried.length === 0) return [];
    if (headers === 'ietf') return inFields(told, counted);
    if (headers === 'ietf-draft-7') return inDictionary(told, counted);
    return named(told, { counted, carried });
  };
}

/** A request that was counted, and which of the three its answer carries. */
type Carrying = { readonly counted: DecidedRequest; readonly carried: readonly RateLimitHeader[] };

/** The usual three under the names of a document, and in its forms; other headers as they are. */
function inNamesOf(
  document: Pick<Document, 'headers'>,
): (told: readonly HeaderField[], carrying: Carrying) => readonly HeaderField[] {
  const names = recordedNames(document);
  const { unit } = promisedHeaders(document);
  const listed: readonly string[] = listedIn(document);
  const form = remainingFormOf(document);
  const keys = keysOf(document);
  const isKeyed = Object.values(keys).some((key) => key !== null);
  const said = (header: RateLimitHeader, text: string, { told, counted }: Told): string => {
    if (header === 'reset') return resetText(text, counted, unit);
    if (header === 'remaining' && countsUp(form)) return usedText(text, told, form);
    return listed.includes(header) ? `${text};w=${wholeWindow(counted)}` : text;
  };
  return (told, { counted, carried }) => {
    const fields = told.flatMap(([usual, text]): readonly HeaderField[] => {
      const header = headerOf(usual);
      if (header === undefined) return [[usual, text]];
      const name = names[header];
      if (name === null || !carried.includes(header)) return [];
      if (header === 'limit' && form === 'used-of-limit') return [];
      const value = said(header, text, { told, counted });
      return [[name, keys[header] === null ? value : `${keys[header]}=${value}`]];
    });
    return isKeyed ? joined(fields) : fields;
  };
}

type Told = { readonly told: readonly HeaderField[]; readonly counted: DecidedRequest };

/** What one header says of several things as one field. */
function joined(fields: readonly HeaderField[]): readonly HeaderField[] {
  return [...Map.groupBy(fields, ([name]) => name.toLowerCase()).values()].map((same): HeaderField => {
    return [same[0]?.[0] ?? '', same.map(([, text]) => text).join('; ')];
  });
}

/** How many were used, by what remains of the limit that is told; what is no number stays as it is. */
function usedText(text: string, told: readonly HeaderField[], form: 'used' | 'used-of-limit'): string {
  const limit = told.find(([name]) => headerOf(name) === 'limit')?.[1];
  const used = Number(limit) - Number(text);
  const said = Number.isNaN(used) ? text : String(used);
  return form === 'used' ? said : `${said}/${limit ?? ''}`;
}

/** The usual three as RateLimit-Policy and RateLimit; other headers as they are. */
function inFields(told: readonly HeaderField[], counted: DecidedRequest): readonly HeaderField[] {
  const usual = new Map(told);
  const { limit, remaining, reset } = rateLimitHeaderNames;
  const [q, r, t] = [usual.get(limit), usual.get(remaining), usual.get(reset)];
  const others = told.filter(([name]) => headerOf(name) === undefined);
  return [
    ...others,
    ...(q === undefined
      ? []
      : [['RateLimit-Policy', `"${counted.scope}";q=${q};w=${wholeWindow(counted)}`] as const]),
    ...(r === undefined
      ? []
      : [
          [
            'RateLimit',
            `"${counted.scope}";r=${r}${t === undefined ? '' : `;t=${resetText(t, counted, 'seconds')}`}`,
          ] as const,
        ]),
  ];
}

/** The usual three as the RateLimit of version 07 of the draft, and its RateLimit-Policy; other headers as they are. */
function inDictionary(told: readonly HeaderField[], counted: DecidedRequest): readonly HeaderField[] {
  const usual = new Map(told);
  const others = told.filter(([name]) => headerOf(name) === undefined);
  const members = entries.flatMap(([header, name]) => {
    const text = usual.get(name);
    if (text === undefined) return [];
    return [`${header}=${header === 'reset' ? resetText(text, counted, 'seconds') : text}`];
  });
  const policy = `${counted.rate.limit};w=${wholeWindow(counted)}`;
  return members.length === 0
    ? others
    : [...others, ['RateLimit-Policy', policy], ['RateLimit', members.join(', ')]];
}

function wholeWindow({ rate }: DecidedRequest): number {
  return Math.ceil(windowSeconds(rate));
}

const entries = Object.entries(rateLimitHeaderNames) as readonly (readonly [RateLimitHeader, string])[];

function headerOf(name: string): RateLimitHeader | undefined {
  return entries.find(([, usual]) => usual === name)?.[0];
}

/** A reset in Unix seconds, as text, in another unit; what is no number stays as it is. */
function resetText(text: string, { decision, nowMs }: DecidedRequest, unit: ResetUnit): string {
  const seconds = Number(text);
  if (!Number.isFinite(seconds)) return text;
  // What has been rounded once already would be rounded twice.
  const resetMs = seconds === Math.ceil(decision.resetMs / 1_000) ? decision.resetMs : seconds * 1_000;
  switch (unit) {
    case 'epoch-seconds':
      return text;
    case 'epoch-ms':
      return String(Math.ceil(resetMs));
    case 'seconds':
      return String(Math.ceil((resetMs - nowMs) / 1_000));
    case 'ms':
      return String(Math.ceil(resetMs - nowMs));
    case 'duration':
      return durationText(Math.ceil(resetMs - nowMs));
    case 'date':
      return dateText(Math.ceil(resetMs / 1_000) * 1_000, text);
    default:
      return unit satisfies never;
  }
}

/** A duration as Go writes one: `1m30s`, `59.5s`, `120ms`. */
function durationText(ms: number): string {
  if (ms < 0) return `-${durationText(-ms)}`;
  if (ms > 0 && ms < 1_000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const text = `${Math.floor(minutes / 60)}h${minutes % 60}m${(ms % 60_000) / 1_000}s`;
  return text.replace(/^0h(?:0m)?/, '');
}

/** A moment as RFC 3339 has it; the text itself where the moment is beyond all dates. */
function dateText(ms: number, text: string): string {
  return Math.abs(ms) > 8.64e15 ? text : new Date(ms).toISOString();
}
