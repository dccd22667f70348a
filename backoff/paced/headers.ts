import { parseHeaderInteger, rateLimitHeaderNames } from '../../contract/rate-limit-headers.ts';
import type { SeenHeaders } from '../pacer/pacer.ts';

/** Headers of a request in any of the forms that undici takes. */
type HeaderBag = unknown;

/** Finds a header of a request by its name, in any case; the first of several. */
export function requestHeader(headers: HeaderBag, name: string): string | null {
  for (const [field, value] of fieldsOf(headers)) {
    if (field.toLowerCase() === name) return Array.isArray(value) ? String(value[0]) : String(value);
  }
  return null;
}

function* fieldsOf(headers: HeaderBag): Generator<readonly [string, unknown]> {
  if (typeof headers !== 'object' || headers === null) return;
  if (Array.isArray(headers) && !Array.isArray(headers[0])) {
    for (let at = 0; at + 1 < headers.length; at += 2) yield [String(headers[at]), headers[at + 1]];
  } else if (Symbol.iterator in headers) {
    for (const pair of headers as Iterable<readonly [string, unknown]>) yield pair;
  } else {
    yield* Object.entries(headers);
  }
}

/** Headers of an answer as undici hands them on: names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

export function answerHeader(headers: AnswerHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return (Array.isArray(value) ? value.join(', ') : value) ?? null;
}

/** Our clocks at one moment: monotonic, and the wall's, ms. */
export type Moment = { readonly nowMs: number; readonly wallMs: number };

/** Beyond this a service's `Date`, in whole seconds and perhaps a cached one, says that our wall clock is off, ms. */
const skewMsMax = 2_500;

/** What an answer says of a limit; `null` where it does not say it. */
export type SaidOfLimit = {
  /** How many requests pass in a window. */
  readonly limit: number | null;
  /** How many of them are left. */
  readonly remaining: number | null;
  /** When all are back: so many seconds after 1970, or after the answer. */
  readonly reset: { readonly seconds: number; readonly after: '1970' | 'answer' } | null;
};

/** Reads what an answer says of its limit, given what finds a header of it by name, in any case. */
export type ReadHeaders = (header: (name: string) => string | null) => SaidOfLimit;

/** The three rate-limit headers, read as the messaging document has them; what is no plain integer is `null`. */
export const usualHeaders: ReadHeaders = (header) => {
  const integer = (name: string): number | null => parseHeaderInteger(header(name) ?? '');
  const seconds = integer(rateLimitHeaderNames.reset);
  return {
    limit: integer(rateLimitHeaderNames.limit),
    remaining: integer(rateLimitHeaderNames.remaining),
    reset: seconds === null ? null : { seconds, after: '1970' },
  };
};

/** What the headers of an answer that came at a moment say, the reset by our clock. */
export function seenHeaders(headers: AnswerHeaders, read: ReadHeaders, moment: Moment): SeenHeaders {
  const { limit, remaining, reset } = read((name) => answerHeader(headers, name));
  return {
    limit: figure(limit),
    remaining: figure(remaining),
    resetMs: reset === null ? null : figure(resetMs(reset, headers, moment)),
  };
}

/** How long it is from a moment until the reset that an answer tells, ms, and nothing where that is past; `null` where it tells none. */
export function untilResetMs(headers: AnswerHeaders, read: ReadHeaders, moment: Moment): number | null {
  const { resetMs: atMs } = seenHeaders(headers, read, moment);
  return atMs === null ? null : Math.max(0, atMs - moment.nowMs);
}

/** A caller's own reader may make `NaN` of a header that is missing: nothing can be learnt of that. */
function figure(given: number | null): number | null {
  return Number.isFinite(given) ? given : null;
}

function resetMs(
  { seconds, after }: NonNullable<SaidOfLimit['reset']>,
  headers: AnswerHeaders,
  { nowMs, wallMs }: Moment,
): number {
  if (after === 'answer') return nowMs + seconds * 1_000;
  const dateMs = Date.parse(answerHeader(headers, 'date') ?? '');
  const theirMs = Math.abs(dateMs - wallMs) > skewMsMax ? dateMs : wallMs;
  return nowMs + (seconds * 1_000 - theirMs);
}

export const noHeaders: SeenHeaders = { limit: null, remaining: null, resetMs: null };
