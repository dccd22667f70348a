import { givesUp, type Request, type Strategy } from '../strategy.ts';

/**
 * axios-retry 4.5.0 as it comes (dist/esm/index.js): 3 retries of idempotent methods, and of any where the connection
 * broke, without delay but for the header `Retry-After`, which it takes whole. The body is not read.
 */
export function axiosRetryDefaults({ isIdempotent }: Request): Strategy<null> {
  return {
    name: 'axios-retry',
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: false,
    start: () => null,
    next: (_state, { kind, attempts, retryAfterHeaderSeconds }) => {
      if (kind === 'admitted') return [0, null];
      if ((kind === 'limited' && !isIdempotent) || attempts > 3) return [givesUp, null];
      return [kind === 'limited' ? retryAfterHeaderSeconds * 1_000 : 0, null];
    },
  };
}
