import { givesUp, type Strategy } from '../strategy.ts';

/**
 * p-retry 9.0.0 as it comes (index.js), around a request that throws on a 429: 10 retries of whatever it is given,
 * after `1000 · 2^(n−1)` ms, with neither jitter nor cap. It sees no answer, and so no `retry_after_seconds`.
 */
export function pRetryDefaults(): Strategy<null> {
  return {
    name: 'p-retry',
    sharedBy: 'request',
    gates: false,
    heedsRetryAfter: false,
    start: () => null,
    next: (_state, { kind, attempts }) => {
      if (kind === 'admitted') return [0, null];
      return [attempts > 10 ? givesUp : 1_000 * 2 ** (attempts - 1), null];
    },
  };
}
