/**
 * What an answer shows about the request's place in the window.
 * - `admitted`: 2xx; it was counted somewhere in `[sentMs, receivedMs]`.
 * - `limited`: 429.
 * - `refused`: any other answer; it may or may not have been counted.
 * - `indeterminate`: no answer (time-out, reset); it may have been counted at any time from `sentMs` on.
 */
export const outcomes = ['admitted', 'limited', 'refused', 'indeterminate'] as const;

export type Outcome = (typeof outcomes)[number];

/** The outcome that a status stands for; `null` is a request without an answer. */
export function outcomeOf(status: number | null): Outcome {
  if (status === null) return 'indeterminate';
  if (status === 429) return 'limited';
  return status >= 200 && status < 300 ? 'admitted' : 'refused';
}

/** Characters of an error body that a trace keeps. */
export const bodyCharactersMax = 2_048;

/** Characters of one header value that a trace keeps. */
export const headerCharactersMax = 512;
