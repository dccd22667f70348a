import { checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';
import {
  append,
  dropUntil,
  emptyRing,
  type MomentRing,
  newestMs,
  nthOldestMs,
  oldestMs,
} from './moment-ring.ts';

/** The moments at which the admitted requests leave the window. */
export type SlidingLog = MomentRing;

/**
 * The limiter that the document describes: no more than `limit` requests in any window `(t − windowMs, t]`, exactly. A
 * request admitted at `t` gives its place back at `t + windowMs`, and rejected requests take none. A decision costs
 * O(1) amortised, because each request leaves the ring once. A count costs about 8 to 32 bytes for each request in its window.
 */
export function slidingLog(rate: Rate): Limiter<SlidingLog> {
  checkRate(rate);
  const { limit, windowMs } = rate;
  return {
    name: 'sliding-log',
    limit,
    windowMs,
    start: () => emptyRing(limit),
    decide(log, nowMs, cost = 1): Decision {
      dropUntil(log, nowMs);
      const admitted = log.count + cost <= limit;
      if (admitted) for (let taken = 0; taken < cost; taken += 1) append(log, nowMs + windowMs);
      const remaining = limit - log.count;
      const resetMs = oldestMs(log);
      const retryAfterMs = remaining >= cost ? 0 : nthOldestMs(log, cost - remaining) - nowMs;
      return { admitted, remaining, resetMs, retryAfterMs };
    },
    idleFromMs: newestMs,
  };
}
