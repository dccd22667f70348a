/**
 * What an answer shows about the request's place in the window.
 * - `admitted`: 2xx, or how else a request that passes is answered; it was counted somewhere in `[sentMs, receivedMs]`.
 * - `limited`: 429, or what else the document says of a request over the limit.
 * - `refused`: any other answer; it may or may not have been counted.
 * - `indeterminate`: no answer (time-out, reset); it may have been counted at any time from `sentMs` on.
 */
export const outcomes = ['admitted', 'limited', 'refused', 'indeterminate'] as const;

export type Outcome = (typeof outcomes)[number];

/** Over the limit, where a document says nothing else (RFC 6585 §4). */
export const usualLimitedStatuses: readonly number[] = [429];

/**
 * The outcome that a status stands for; `null` is a request without an answer.
 * @param limited the statuses of a request over the limit.
 * @param passed the statuses other than 2xx with which requests are answered that pass.
 */
export function outcomeOf(
  status: number | null,
  limited = usualLimitedStatuses,
  passed: readonly number[] = [],
): Outcome {
  if (status === null) return 'indeterminate';
  if (limited.includes(status)) return 'limited';
  return isSuccess(status) || passed.includes(status) ? 'admitted' : 'refused';
}

/** Whether a status is one of success, a 2xx (RFC 9110 §15.3). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Characters of an error body that a trace keeps. */
export const bodyCharactersMax = 65_536;

/**
 * Characters of an error body that a trace keeps once a client has kept many long ones: a flood of them would fill the
 * disk. Traces of before bodies were marked keep this many of each body.
 */
export const bodyCharactersInFlood = 2_048;

/**
 * How much of an answer's body is in the trace.
 * - `whole`: all of it; the trace has what came.
 * - `partial`: it broke off, or did not end in time.
 * - `until-close`: the connection was closed where the body stated no length, as after a body that breaks off
 *   (RFC 9112 §6.3): whole if it makes sense.
 * - `beyond-bound`: it goes on beyond what a trace keeps.
 */
export const bodyStates = ['whole', 'partial', 'until-close', 'beyond-bound'] as const;

export type BodyState = (typeof bodyStates)[number];

/** Characters of one header value that a trace keeps. */
export const headerCharactersMax = 512;
