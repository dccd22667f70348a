import { checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';

export type FixedWindowFirstRequest = { startMs: number; count: number };

/**
 * A window begins with the first request after the previous one ended, and all capacity returns when it ends. Up to
 * twice the limit passes around that moment. It is the most common limiter, because it is a counter with an expiry:
 * express-rate-limit, rate-limiter-flexible, @fastify/rate-limit; in Redis `INCR`, and `EXPIRE` where the answer is 1.
 */
export function fixedWindowFirstRequest(rate: Rate): Limiter<FixedWindowFirstRequest> {
  checkRate(rate);
  const { limit, windowMs } = rate;
  return {
    name: 'fixed-window-first-request',
    limit,
    windowMs,
    start: () => ({ startMs: Number.NEGATIVE_INFINITY, count: 0 }),
    decide(window, nowMs, cost = 1): Decision {
      if (nowMs >= window.startMs + windowMs) {
        window.startMs = nowMs;
        window.count = 0;
      }
      const admitted = window.count + cost <= limit;
      if (admitted) window.count += cost;
      const remaining = limit - window.count;
      const resetMs = window.startMs + windowMs;
      return { admitted, remaining, resetMs, retryAfterMs: remaining >= cost ? 0 : resetMs - nowMs };
    },
    idleFromMs: (window) => window.startMs + windowMs,
  };
}
