import type { Peer } from '../peer.ts';
import { programPeers } from '../program-peer.ts';
import { installed, readSource } from '../programs.ts';
import { ruleOf } from '../rule.ts';
import { truthOf } from '../truth.ts';

/** Limiters written in Java; one program holds them all. */
export const javaServers: readonly Peer[] = programPeers(
  [
    {
      library: 'bucket4j_jdk17-core',
      setting: 'refillGreedy',
      program: 'bucket4j-greedy',
      rule: ruleOf(120, 60),
      truth: truthOf('token bucket / GCRA', 'io/github/bucket4j/BucketState64BitsInteger.java, refill'),
    },
    {
      library: 'bucket4j_jdk17-core',
      setting: 'refillIntervally',
      program: 'bucket4j-intervally',
      rule: ruleOf(300, 60),
      truth: truthOf('fixed window (own phase)', 'io/github/bucket4j/BucketState64BitsInteger.java, refill'),
    },
    {
      library: 'bucket4j_jdk17-core',
      setting: 'refillIntervallyAligned',
      program: 'bucket4j-aligned',
      rule: ruleOf(120, 60),
      truth: truthOf('fixed window (wall clock)', 'io/github/bucket4j/BucketState64BitsInteger.java, refill'),
    },
    {
      library: 'failsafe',
      setting: 'RateLimiter, bursty',
      program: 'failsafe-bursty',
      rule: ruleOf(300, 45),
      truth: truthOf('fixed window (own phase)', 'dev/failsafe/internal/BurstyRateLimiterStats.java'),
    },
    {
      library: 'failsafe',
      setting: 'RateLimiter, smooth',
      program: 'failsafe-smooth',
      rule: ruleOf(120, 60),
      truth: ({ limit, windowMs }) =>
        truthOf(
          'fixed window (own phase)',
          'dev/failsafe/internal/SmoothRateLimiterStats.java, acquirePermits',
        )({
          limit: 1,
          windowMs: windowMs / limit,
        }),
    },
    {
      library: 'guava',
      setting: 'RateLimiter, at once',
      program: 'guava',
      rule: ruleOf(120, 60),
      truth: ({ limit, windowMs }) => {
        // It keeps what a second lets pass, and lends one more.
        const burst = (limit * 1_000) / windowMs + 1;
        return truthOf(
          'leaky bucket',
          'com/google/common/util/concurrent/SmoothRateLimiter.java, SmoothBursty',
        )({
          limit: burst,
          windowMs: (burst * windowMs) / limit,
        });
      },
    },
    {
      library: 'redisson',
      setting: 'RRateLimiter, Redis',
      program: 'redisson',
      rule: ruleOf(300, 60),
      truth: truthOf('sliding window log', 'org/redisson/RedissonRateLimiter.java, tryAcquireAsync'),
      needsRedis: true,
    },
    {
      library: 'resilience4j-ratelimiter',
      setting: '',
      program: 'resilience4j',
      rule: ruleOf(120, 60),
      truth: truthOf(
        'fixed window (own phase)',
        'io/github/resilience4j/ratelimiter/internal/AtomicRateLimiter.java',
      ),
    },
    {
      library: 'sentinel-core',
      setting: 'FlowRule',
      program: 'sentinel',
      rule: ruleOf(30, 1),
      truth: truthOf(
        'sliding window in cells',
        'com/alibaba/csp/sentinel/slots/statistic/base/LeapArray.java',
      ),
    },
    {
      library: 'smallrye-fault-tolerance-standalone',
      setting: 'fixed',
      program: 'smallrye-fixed',
      rule: ruleOf(120, 60),
      truth: truthOf(
        'fixed window (own phase)',
        'io/smallrye/faulttolerance/core/rate/limit/FixedWindow.java',
      ),
    },
    {
      library: 'smallrye-fault-tolerance-standalone',
      setting: 'rolling',
      program: 'smallrye-rolling',
      rule: ruleOf(120, 45),
      truth: truthOf(
        'sliding window log, rejections count',
        'io/smallrye/faulttolerance/core/rate/limit/RingBufferRollingWindow.java, record',
        { rejections: 'take a place' },
      ),
    },
    {
      library: 'smallrye-fault-tolerance-standalone',
      setting: 'smooth',
      program: 'smallrye-smooth',
      rule: ruleOf(120, 60),
      truth: truthOf(
        'token bucket / GCRA',
        'io/smallrye/faulttolerance/core/rate/limit/SmoothWindow.java: begins with one token',
      ),
    },
    {
      library: 'spring-cloud-gateway-server-webflux',
      setting: 'request_rate_limiter.lua, Redis',
      program: 'spring-cloud-gateway',
      rule: ruleOf(120, 60),
      truth: truthOf('token bucket / GCRA', 'META-INF/scripts/request_rate_limiter.lua: by whole seconds'),
      needsRedis: true,
    },
    {
      library: 'tomcat-embed-core',
      setting: 'RateLimitFilter',
      program: 'tomcat',
      rule: ruleOf(120, 60),
      truth: ({ limit, windowMs }) => {
        // The next power of two, and as many more requests.
        const keptMs = 2 ** Math.ceil(Math.log2(windowMs));
        return truthOf(
          'fixed window (wall clock)',
          'org/apache/catalina/util/TimeBucketCounter.java',
        )({
          limit: Math.round((limit * keptMs) / windowMs),
          windowMs: keptMs,
        });
      },
    },
    {
      library: 'tomcat-embed-core',
      setting: 'RateLimitFilter, ExactRateLimiter',
      program: 'tomcat-exact',
      rule: ruleOf(300, 60),
      truth: truthOf('fixed window (wall clock)', 'org/apache/catalina/util/ExactRateLimiter.java'),
    },
    {
      library: 'jetty-server',
      setting: 'DoSHandler',
      program: 'jetty',
      rule: ruleOf(120, 60),
      truth: truthOf(
        'token bucket / GCRA',
        'org/eclipse/jetty/server/handler/DoSHandler.java, LeakingBucketTracker.onRequest',
        { rejections: 'take a place' },
      ),
    },
  ],
  {
    origin: 'Maven',
    pinned,
    programOf: async (program, { limit, seconds }, { port, redisPort }) => {
      const folder = await installed('java');
      const rest = [program, limit, seconds, port, redisPort].map(String);
      return { command: 'java', args: [...flags, 'gallery.Serve', ...rest], folder };
    },
  },
);

/** Many run side by side: little memory each, and no compiler that works against the answers. */
const flags = [
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Xmx256m',
  '-cp',
  'target/classes:target/lib/*',
] as const;

async function pinned(library: string): Promise<string> {
  const pom = await readSource('java', 'pom.xml');
  const version = new RegExp(`<artifactId>${library}</artifactId>\\s*<version>([^<]+)`).exec(pom)?.[1];
  if (version === undefined) throw new Error(`programs/java/pom.xml does not name ${library}`);
  return version.replace(/-jre$/, '');
}
