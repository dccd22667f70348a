import { type Answer, givesUp, type Request, type Strategy } from '../strategy.ts';

/**
 * `RetryAgent` of undici 8.12.4 as it comes (lib/handler/retry-handler.js): 5 retries of idempotent methods. Takes the
 * header `Retry-After`, but waits no longer than `maxTimeout`, 30 s; without it `500 · 2^(n−1)` ms. The body is not read.
 */
export function undiciDefaults({ isIdempotent }: Request): Strategy<null> {
  return {
    name: 'undici RetryAgent',
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: false,
    start: () => null,
    next: (_state, answer) => [waitMs(answer, isIdempotent), null],
  };
}

function waitMs({ kind, attempts, retryAfterHeaderSeconds }: Answer, isIdempotent: boolean): number {
  if (kind === 'admitted') return 0;
  if (!isIdempotent || attempts > 5) return givesUp;
  const backoffMs = 500 * 2 ** (attempts - 1);
  const told = kind === 'limited' && retryAfterHeaderSeconds > 0;
  return Math.min(told ? retryAfterHeaderSeconds * 1_000 : backoffMs, 30_000);
}
