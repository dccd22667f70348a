// A log in Redis.
import RateLimiter from 'async-ratelimiter';
import { Redis } from 'ioredis';
import { guarded } from '../guarded.mjs';

export function build({ limit, windowMs, redisPort }) {
  const limiter = new RateLimiter({ db: new Redis(redisPort, '127.0.0.1'), max: limit, duration: windowMs });
  return guarded(async (id) => (await limiter.get({ id })).remaining > 0);
}
