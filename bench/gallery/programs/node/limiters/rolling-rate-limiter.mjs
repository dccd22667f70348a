// Refused requests take a place too, as its documentation says.
import { InMemoryRateLimiter } from 'rolling-rate-limiter';
import { guarded } from '../guarded.mjs';

export function build({ limit, windowMs }) {
  const limiter = new InMemoryRateLimiter({ interval: windowMs, maxInInterval: limit });
  return guarded(async (key) => !(await limiter.limit(key)));
}
