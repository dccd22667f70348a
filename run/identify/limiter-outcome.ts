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
