// @upstash/ratelimit talks to a Redis over HTTP. Its scripts run the same in a Redis on loopback, but for their first
// line, which names a flag that only that service knows.
import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from 'ioredis';
import { guarded } from './guarded.mjs';

export function limited({ redisPort }, limiter) {
  const redis = new Redis(redisPort, '127.0.0.1');
  const ratelimit = new Ratelimit({
    redis: {
      evalsha: () => Promise.reject(new Error('NOSCRIPT')),
      eval: (script, keys, values) =>
        redis.eval(script.replace(/^#!lua.*\n/, ''), keys.length, ...keys, ...values.map(String)),
    },
    limiter,
    analytics: false,
    ephemeralCache: false,
  });
  return guarded(async (key) => (await ratelimit.limit(key)).success);
}
