import { type Answer, givesUp, type Random, type Request, type Strategy } from '../strategy.ts';

/**
 * got 16.1.0 as it comes (dist/source/core/calculate-retry-delay.js, options.js): 2 retries of idempotent methods.
 * Takes the header `Retry-After` whole; without it `1000 · 2^(n−1)` ms and up to 100 ms more. The body is not read.
 */
export function gotDefaults({ isIdempotent }: Request): Strategy<null> {
  return {
    name: 'got',
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: false,
    start: () => null,
    next: (_state, answer, random) => [waitMs(answer, isIdempotent, random), null],
  };
}

function waitMs(
  { kind, attempts, retryAfterHeaderSeconds }: Answer,
  isIdempotent: boolean,
  random: Random,
): number {
  if (kind === 'admitted') return 0;
  if (!isIdempotent || attempts > 2) return givesUp;
  if (kind === 'limited' && retryAfterHeaderSeconds > 0) return retryAfterHeaderSeconds * 1_000;
  return 1_000 * 2 ** (attempts - 1) + 100 * random();
}
