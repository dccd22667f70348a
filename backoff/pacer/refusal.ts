import type { RetryAfterForm } from '../../contract/document/retry-after.ts';
import { valueAt } from '../../contract/json-pointer.ts';
import { resetRules } from '../../contract/reset-units.ts';
import { type WaitUnit, waitRules } from '../../contract/wait-units.ts';

/** What a 429 says about waiting, raw. */
export type Refusal = {
  readonly body: string | null;
  readonly retryAfter: string | null;
  readonly date: string | null;
};

type Reading = {
  /** By our clock. */
  readonly wallMs: number;
  /** Where the body has its wait, as a JSON pointer. */
  readonly pointer?: string;
  /** How it is written there. */
  readonly unit?: WaitUnit;
  /** How the header of the wait is written. */
  readonly form?: RetryAfterForm;
};

/**
 * How long a 429 asks to wait, ms: the longer of what its JSON body says (section "Errors": `error.retry_after_seconds`) and `Retry-After`, or
 * a header in its place: seconds or a date (RFC 9110 §10.2.3), unless it is written otherwise. A date counts from the answer's own `Date`, or
 * from `wallMs` where it has none. `null` where it says nothing usable.
 */
export function toldWaitMs(
  { body, retryAfter, date }: Refusal,
  { wallMs, pointer = '/error/retry_after_seconds', unit = 'whole-seconds', form = 'either' }: Reading,
): number | null {
  const header = retryAfter?.trim() ?? null;
  const headerUnit = form === 'ms' || form === 'duration' ? form : null;
  const byHeader =
    header === null || headerUnit === null
      ? headerSeconds(header, date, wallMs)
      : resetRules[headerUnit].read(header);
  const told = [bodySeconds(body, pointer, unit), byHeader].filter((seconds) => seconds !== null);
  return told.length === 0 ? null : Math.max(...told) * 1_000;
}

/** A fraction is no integer, as the document has it, but it is a wait. */
function bodySeconds(body: string | null, pointer: string, unit: WaitUnit): number | null {
  if (body === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  const seconds = waitRules[unit === 'ms' ? 'ms' : 'seconds'].read(valueAt(pointer, value));
  return seconds !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** A fraction is no whole second, as HTTP has it, but it is a wait. */
function headerSeconds(text: string | null, date: string | null, wallMs: number): number | null {
  if (text === null) return null;
  if (/^[0-9]{1,9}(\.[0-9]{1,9})?$/.test(text)) return Number(text);
  // Date.parse takes almost anything, "-5" for a month of 2001 among it: an HTTP date begins with its day's name.
  const untilMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(untilMs)) return null;
  const fromMs = date === null ? Number.NaN : Date.parse(date);
  return Math.max(0, untilMs - (Number.isNaN(fromMs) ? wallMs : fromMs)) / 1_000;
}

export type RefusalFacts = {
  /** What the 429 asks for, ms; `null` where it says nothing usable. */
  readonly toldMs: number | null;
  /** Refusals in a row, this one included. */
  readonly refusals: number;
  readonly windowMs: number;
  /** From [0, 1). */
  readonly draw: number;
};

/** On top of what a first refusal asks for, at most, ms. */
const jitterMs = 250;

/** After a first refusal that asks for nothing, at most, ms. */
const untoldMs = 1_000;

/** Doublings beyond which a wait is its longest anyway. */
const doublingsMax = 30;

/**
 * How long to hold back after a refusal, ms: never less than it asks for, and beyond that a jitter whose range doubles
 * with each refusal in a row, up to a window (section "Errors"). Where nothing is asked for it is the upper half of a
 * doubling range ("equal jitter", https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 */
export function refusalWaitMs({ toldMs, refusals, windowMs, draw }: RefusalFacts): number {
  const doublings = 2 ** Math.min(doublingsMax, Math.max(0, refusals - 1));
  if (toldMs === null) return Math.min(windowMs, untoldMs * doublings) * (0.5 + draw / 2);
  return toldMs + draw * Math.min(windowMs, jitterMs * doublings);
}
