import { Counter } from 'k6/metrics';
import type { Outcome } from '../../contract/exchange.ts';

const admitted = new Counter('admitted');
const limited = new Counter('limited');
const unexpected = new Counter('unexpected');
const scriptErrors = new Counter('script_errors');

/**
 * k6 exits with 0 on an exception in an iteration and on failed checks; a crossed threshold is the one thing in a
 * script that makes it exit otherwise (99).
 */
export const counterThresholds = {
  unexpected: ['count==0'],
  script_errors: ['count==0'],
  // Arrivals for which no client was free are left out without a word.
  dropped_iterations: ['count==0'],
};

const counterOf: Readonly<Record<Outcome, Counter>> = {
  admitted,
  limited,
  refused: unexpected,
  indeterminate: unexpected,
};

/** Counts one answer to a request with the key. */
export function countOutcome(outcome: Outcome): void {
  counterOf[outcome].add(1);
}

let isBegun = false;

/** Runs an iteration's work; an exception is counted before k6 swallows it. */
export function countingErrors(work: () => void): void {
  // A counter without a sample is left out of k6's summary; one sample of each client is enough.
  if (!isBegun) for (const counter of [admitted, limited, unexpected, scriptErrors]) counter.add(0);
  isBegun = true;
  try {
    work();
  } catch (error) {
    scriptErrors.add(1);
    throw error;
  }
}
