import { type Answer, givesUp, type Request, type Strategy } from '../strategy.ts';

/**
 * ky 2.1.0 as it comes (distribution/utils/normalize.js, core/Ky.js, core/retry-timing.js): 2 retries of idempotent
 * methods. Takes the header `Retry-After`, where that is missing `X-RateLimit-Reset`; without either, or where the
 * connection broke, `300 · 2^(n−1)` ms. The body is not read.
 */
export function kyDefaults({ isIdempotent }: Request): Strategy<null> {
  return {
    name: 'ky',
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: false,
    start: () => null,
    next: (_state, answer) => [waitMs(answer, isIdempotent), null],
  };
}

function waitMs(answer: Answer, isIdempotent: boolean): number {
  const { kind, attempts, nowMs, retryAfterHeaderSeconds, resetSeconds } = answer;
  if (kind === 'admitted') return 0;
  if (!isIdempotent || attempts > 2) return givesUp;
  if (kind === 'lost') return 300 * 2 ** (attempts - 1);
  if (retryAfterHeaderSeconds > 0) return retryAfterHeaderSeconds * 1_000;
  return resetSeconds > 0 ? Math.max(0, resetSeconds * 1_000 - nowMs) : 300 * 2 ** (attempts - 1);
}
