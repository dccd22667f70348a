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

/** To be called once, before anything is sent: a counter without a sample is left out of k6's summary. */
export function beginCounting(): void {
  for (const counter of [admitted, limited, unexpected, scriptErrors]) counter.add(0);
}

/** Counts an exception in an iteration, which k6 swallows. */
export function countScriptError(): void {
  scriptErrors.add(1);
}
