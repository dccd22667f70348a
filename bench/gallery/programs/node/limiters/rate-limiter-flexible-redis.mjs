import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { guarded } from '../guarded.mjs';

export function build({ limit, windowMs, redisPort }) {
  const storeClient = new Redis(redisPort, '127.0.0.1');
  const limiter = new RateLimiterRedis({ storeClient, points: limit, duration: windowMs / 1_000 });
  return guarded((key) =>
    limiter.consume(key).then(
      () => true,
      () => false,
    ),
  );
}
