import { checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';

export type ExtendOnReject = { startMs: number; count: number };

/** Which requests restart the window: the rejected ones, or any request. */
export type Extension = { readonly extendedBy?: 'rejection' | 'any-request' };

/**
 * A fixed window from the first request, in which a rejection restarts the block: after a rejection, nothing is
 * admitted until `windowMs` have passed without any request. Two kinds are known.
 * - `rejection`: each rejected request restarts the window, which stays full (@fastify/rate-limit with
 *   `continueExceeding`).
 * - `any-request`: admitted requests restart it too, so the count starts again only after `windowMs` of silence (a
 *   counter in Redis whose `EXPIRE` follows every `INCR`).
 */
export function extendOnReject(
  rate: Rate,
  { extendedBy = 'rejection' }: Extension = {},
): Limiter<ExtendOnReject> {
  checkRate(rate);
  const { limit, windowMs } = rate;
  const always = extendedBy === 'any-request';
  return {
    name: 'extend-on-reject',
    limit,
    windowMs,
    start: () => ({ startMs: Number.NEGATIVE_INFINITY, count: 0 }),
    decide(window, nowMs): Decision {
      if (nowMs >= window.startMs + windowMs) {
        window.startMs = nowMs;
        window.count = 0;
      }
      const admitted = window.count < limit;
      if (admitted) window.count += 1;
      if (always || !admitted) window.startMs = nowMs;
      const remaining = limit - window.count;
      const resetMs = window.startMs + windowMs;
      return { admitted, remaining, resetMs, retryAfterMs: remaining > 0 ? 0 : resetMs - nowMs };
    },
    idleFromMs: (window) => window.startMs + windowMs,
  };
}
