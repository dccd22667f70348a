import type { ObservedRequest } from '../observations.ts';

/** Requests as a table of a test has them: when each was sent and answered, ms. Each is answered at once unless said otherwise. */
export function admitted(sentMs: number, receivedMs = sentMs): ObservedRequest {
  return { sentMs, receivedMs, outcome: 'admitted' };
}

export function limited(sentMs: number, receivedMs = sentMs): ObservedRequest {
  return { sentMs, receivedMs, outcome: 'limited' };
}

/** Answered, but neither admitted nor limited. */
export function refused(sentMs: number, receivedMs = sentMs): ObservedRequest {
  return { sentMs, receivedMs, outcome: 'refused' };
}

export function unanswered(sentMs: number): ObservedRequest {
  return { sentMs, receivedMs: null, outcome: 'indeterminate' };
}
