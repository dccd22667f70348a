import type { Decision, Limiter, Rate } from './limiter.ts';
import { type SlidingLog, slidingLog } from './sliding-log.ts';

/**
 * A limit on requests in flight at once, in a service that works on each for `windowMs`: a request holds its place
 * until it is answered. Where each takes as long, that decides as a log of this length does; there is no window, and
 * requests one after another always pass. nginx's `limit_conn`, Envoy's and gRPC's maximum of concurrent streams, and
 * bulkheads (resilience4j, cockatiel) are of this kind.
 */
export function concurrencyLimit(rate: Rate): Limiter<SlidingLog> {
  const log = slidingLog(rate);
  return {
    ...log,
    name: 'concurrency-limit',
    decide(state, nowMs): Decision {
      const decision = log.decide(state, nowMs);
      return { ...decision, delayMs: decision.admitted ? rate.windowMs : 0 };
    },
  };
}
