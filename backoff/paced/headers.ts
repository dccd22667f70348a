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

/** The three rate-limit headers, read as the document has them; what is no plain integer is `null`. */
export function seenHeaders(headers: AnswerHeaders, { nowMs, wallMs }: Moment): SeenHeaders {
  const integer = (name: string): number | null => {
    const raw = answerHeader(headers, name);
    return raw === null ? null : parseHeaderInteger(raw);
  };
  const dateMs = Date.parse(answerHeader(headers, 'date') ?? '');
  const theirMs = Math.abs(dateMs - wallMs) > skewMsMax ? dateMs : wallMs;
  const resetSeconds = integer(rateLimitHeaderNames.reset);
  return {
    limit: integer(rateLimitHeaderNames.limit),
    remaining: integer(rateLimitHeaderNames.remaining),
    resetMs: resetSeconds === null ? null : nowMs + (resetSeconds * 1_000 - theirMs),
  };
}

export const noHeaders: SeenHeaders = { limit: null, remaining: null, resetMs: null };
