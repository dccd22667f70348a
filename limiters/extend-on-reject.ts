import { checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';

export type ExtendOnReject = { startMs: number; count: number };

/** Which requests restart the window: the rejected ones, only the first of them, or any request. */
export type Extension = { readonly extendedBy?: 'rejection' | 'first-rejection' | 'any-request' };

/**
 * A fixed window from the first request, in which a rejection restarts the block: after a rejection, nothing is
 * admitted until `windowMs` have passed without any request. Three kinds are known.
 * - `rejection`: each rejected request restarts the window, which stays full (@fastify/rate-limit with
 *   `continueExceeding`).
 * - `first-rejection`: only the first rejected request of a window restarts it, so the block has a fixed length and then
 *   the count starts again (rate-limiter-flexible with `blockDuration`, @nestjs/throttler).
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
    name: extendedBy === 'first-rejection' ? 'block-on-reject' : 'extend-on-reject',
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
      const isFirst = window.count === limit;
      if (always || (!admitted && (isFirst || extendedBy === 'rejection'))) window.startMs = nowMs;
      // One above the limit stands for a block that has begun.
      if (!admitted && isFirst && extendedBy === 'first-rejection') window.count += 1;
      const remaining = Math.max(0, limit - window.count);
      const resetMs = window.startMs + windowMs;
      return { admitted, remaining, resetMs, retryAfterMs: remaining > 0 ? 0 : resetMs - nowMs };
    },
    idleFromMs: (window) => window.startMs + windowMs,
  };
}
