import { givesUp, type Random, type Strategy } from '../strategy.ts';

/** Where the generator stands: the sum of what it has handed out so far, before scaling. */
export type Polly = number;

/**
 * `retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() })` of cockatiel 4.0.0, the first lines of its
 * readme (dist/backoff/ExponentialBackoff.js, ExponentialBackoffGenerators.js): decorrelated jitter after Polly, from
 * 128 ms to at most 30 s. `maxAttempts` are retries. It sees no answer, and so no `retry_after_seconds`.
 */
export function cockatielDefaults(): Strategy<Polly> {
  return {
    name: 'cockatiel',
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: false,
    start: () => 0,
    next(previous, { kind, attempts }, random) {
      if (kind === 'admitted') return [0, 0];
      if (attempts > 3) return [givesUp, 0];
      const next = reached(attempts - 1, random);
      return [Math.min((Math.max(0, next - previous) / 1.4) * 128, 30_000), next];
    },
  };
}

function reached(attempt: number, random: Random): number {
  const t = attempt + random();
  return 2 ** t * Math.tanh(Math.sqrt(4 * t));
}
