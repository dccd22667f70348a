import { isTimeOut } from '../../checks/failures.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Outcome } from '../../contract/outcome.ts';

/** The server's time for the request ran out: no limiter decided anything (RFC 9110 §15.5.9). */
const requestTimeout = 408;

/**
 * What an answer shows about a limiter that is asked by status alone: whatever its type, its body or its status, the
 * limiter let pass what it did not refuse. Of a time-out or an outage nobody knows.
 */
export function limiterOutcome(
  { status, outcome }: Pick<Exchange, 'status' | 'outcome'>,
  refusedBy: readonly number[],
): Outcome {
  if (status === null) return outcome;
  if (refusedBy.includes(status)) return 'limited';
  return status < 500 && status !== requestTimeout ? 'admitted' : 'refused';
}

/**
 * What the same answer shows about the endpoint's health, by which one decides whether to go on. An endpoint may answer all
 * that it is asked with a 404; with a 401 or a 403 it most likely wants another key. Requests time out in a queue too.
 */
export function healthOutcome(
  { status, outcome, failure }: Pick<Exchange, 'status' | 'outcome' | 'failure'>,
  refusedBy: readonly number[],
): Outcome {
  if (status === null) return failure !== null && isTimeOut(failure) ? 'limited' : outcome;
  if (refusedBy.includes(status)) return 'limited';
  return status >= 500 || status === 401 || status === 403 ? 'refused' : 'admitted';
}
