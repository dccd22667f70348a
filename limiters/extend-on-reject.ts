import { checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';

export type ExtendOnReject = { startMs: number; count: number };

/** Which requests begin the window anew: the rejected ones, or any at all. */
export type Extension = { readonly extendedBy?: 'rejection' | 'any-request' };

/**
 * A fixed window from the first request in which a rejection starts the block anew: after one, nothing is admitted
 * until `windowMs` have gone by without any request. Two flavours are known.
 * - `rejection`: the window of the first request begins anew, and is still full, with each rejected one
 *   (@fastify/rate-limit with `continueExceeding`).
 * - `any-request`: admitted requests begin it anew too, so that the count starts again only after `windowMs` of
 *   silence (a counter in Redis whose `EXPIRE` follows every `INCR`).
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
