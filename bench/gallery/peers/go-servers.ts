import { join } from 'node:path';
import type { Peer } from '../peer.ts';
import { programPeers } from '../program-peer.ts';
import { installed, readSource } from '../programs.ts';
import { ruleOf } from '../rule.ts';
import { truthOf } from '../truth.ts';

/** Limiters written in Go; one program holds them all. */
export const goServers: readonly Peer[] = programPeers(
  [
    {
      library: 'golang.org/x/time',
      setting: 'rate.Limiter',
      program: 'x-time-rate',
      rule: ruleOf(120, 60),
      truth: truthOf('token bucket / GCRA', 'rate/rate.go, advance'),
    },
    {
      library: 'github.com/go-chi/httprate',
      setting: '',
      program: 'httprate',
      rule: ruleOf(120, 60),
      truth: truthOf('sliding window counter', 'limiter.go, calculateRate'),
    },
    {
      library: 'github.com/gofiber/fiber/v3',
      setting: 'limiter, FixedWindow',
      program: 'fiber-fixed',
      rule: ruleOf(120, 60),
      truth: truthOf(
        'fixed window (from the first request)',
        'middleware/limiter/limiter_fixed.go: by whole seconds',
      ),
    },
    {
      library: 'github.com/gofiber/fiber/v3',
      setting: 'limiter, SlidingWindow',
      program: 'fiber-sliding',
      rule: ruleOf(120, 60),
      truth: truthOf(
        'sliding window counter, rejections count',
        'middleware/limiter/limiter_sliding.go: by whole seconds',
        { rejections: 'take a place' },
      ),
    },
    {
      library: 'github.com/ulule/limiter/v3',
      setting: 'in memory',
      program: 'ulule',
      rule: ruleOf(300, 60),
      truth: truthOf('fixed window (from the first request)', 'drivers/store/memory/cache.go, Increment'),
    },
    {
      library: 'github.com/didip/tollbooth/v7',
      setting: '',
      program: 'tollbooth',
      rule: ruleOf(30, 45),
      truth: truthOf('token bucket / GCRA', 'limiter/limiter.go, limitReachedWithTokenBucketTTL'),
    },
    {
      library: 'github.com/throttled/throttled/v2',
      setting: 'GCRARateLimiter',
      program: 'throttled',
      rule: ruleOf(300, 45),
      truth: truthOf('token bucket / GCRA', 'rate.go, RateLimitCtx'),
    },
    {
      library: 'github.com/sethvargo/go-limiter',
      setting: 'memorystore',
      program: 'go-limiter',
      rule: ruleOf(120, 60),
      truth: truthOf('fixed window (own phase)', 'memorystore/store.go, take: ticks since the first request'),
    },
    {
      library: 'github.com/labstack/echo/v4',
      setting: 'RateLimiterMemoryStore',
      program: 'echo',
      rule: ruleOf(120, 45),
      truth: truthOf('token bucket / GCRA', 'middleware/rate_limiter.go, Allow'),
    },
    {
      library: 'github.com/go-redis/redis_rate/v10',
      setting: 'Redis',
      program: 'redis-rate',
      rule: ruleOf(120, 60),
      truth: truthOf('token bucket / GCRA', 'lua.go, allowN'),
      needsRedis: true,
    },
    {
      library: 'github.com/envoyproxy/ratelimit',
      setting: 'Redis',
      program: 'envoy',
      rule: ruleOf(120, 60),
      truth: truthOf('fixed window (wall clock)', 'src/limiter/cache_key.go, GenerateCacheKey'),
      needsRedis: true,
    },
    {
      library: 'github.com/juju/ratelimit',
      setting: 'refilled six times a window',
      program: 'juju',
      rule: ruleOf(120, 60),
      truth: truthOf('token bucket / GCRA', 'ratelimit.go, adjustavailableTokens'),
    },
    {
      library: 'github.com/RussellLuo/slidingwindow',
      setting: '',
      program: 'slidingwindow',
      rule: ruleOf(300, 45),
      truth: truthOf('sliding window counter', 'slidingwindow.go, AllowN'),
    },
    {
      library: 'go.uber.org/ratelimit',
      setting: 'without slack',
      program: 'uber',
      rule: ruleOf(120, 60),
      truth: truthOf('leaky bucket (queue)', 'limiter_atomic_int64.go, Take'),
    },
    {
      library: 'github.com/go-chi/chi/v5',
      setting: 'middleware.Throttle',
      program: 'chi-throttle',
      rule: ruleOf(10, 60),
      truth: truthOf('concurrency limit', 'middleware/throttle.go, ThrottleWithOpts', {
        windowSeconds: null,
      }),
    },
  ],
  {
    origin: 'Go',
    pinned,
    programOf: async (program, { limit, seconds }, { port, redisPort }) => {
      const folder = await installed('go');
      const args = [program, limit, seconds, port, redisPort].map(String);
      return { command: join(folder, 'gallery'), args, folder };
    },
  },
);

async function pinned(library: string): Promise<string> {
  const lines = (await readSource('go', 'go.mod')).split('\n').map((line) => line.trim().split(' '));
  const version = lines.find(([name]) => name === library)?.[1];
  if (version === undefined) throw new Error(`programs/go/go.mod does not name ${library}`);
  return version.replace(/^v/, '').replace(/^\d+\.\d+\.\d+-(?:0\.)?(\d{8}).*/, '$1');
}
