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

/** The moments at which the last `limit` requests, admitted or rejected, leave the window. */
export type SlidingLogCountingRejections = MomentRing;

/**
 * The sliding log in which a rejected request takes a place too. A client that keeps sending faster than the rate is
 * never admitted again. rolling-rate-limiter works so, and so does any sorted set in Redis to which every request is
 * added.
 *
 * Such a log grows without bound, but its last `limit` requests decide everything. A request is admitted if fewer than
 * `limit` earlier ones are inside the window. Moments do not go back, so requests leave in the order in which they
 * came. So at least `limit` are inside exactly if the `limit`-th last one is; and if fewer are inside, they are among
 * the last `limit`. A full ring can therefore drop its oldest moment as soon as another request comes.
 */
export function slidingLogCountingRejections(rate: Rate): Limiter<SlidingLogCountingRejections> {
  checkRate(rate);
  const { limit, windowMs } = rate;
  return {
    name: 'sliding-log-counting-rejections',
    limit,
    windowMs,
    start: () => emptyRing(limit),
    decide(log, nowMs, cost = 1): Decision {
      dropUntil(log, nowMs);
      const admitted = log.count + cost <= limit;
      for (let taken = 0; taken < cost; taken += 1) append(log, nowMs + windowMs);
      const remaining = limit - log.count;
      const resetMs = oldestMs(log);
      const retryAfterMs = remaining >= cost ? 0 : nthOldestMs(log, cost - remaining) - nowMs;
      return { admitted, remaining, resetMs, retryAfterMs };
    },
    idleFromMs: newestMs,
  };
}
