import process from 'node:process';
import { z } from 'zod';
import type { Peer } from '../peer.ts';
import { programPeers } from '../program-peer.ts';
import { installed, readSource } from '../programs.ts';
import { ruleOf } from '../rule.ts';
import { truthOf } from '../truth.ts';

/** npm packages that nothing else here needs: each runs in a process of its own, from a folder of the user's cache. */
export const npmServers: readonly Peer[] = programPeers(
  [
    {
      library: 'rate-limiter-flexible',
      setting: 'blockDuration',
      program: 'rate-limiter-flexible-block',
      rule: ruleOf(120, 60),
      truth: truthOf('block of fixed length after a refusal', 'lib/RateLimiterMemory.js, consume'),
    },
    {
      library: 'rate-limiter-flexible',
      setting: 'RateLimiterRedis',
      program: 'rate-limiter-flexible-redis',
      rule: ruleOf(300, 45),
      truth: truthOf('fixed window (from the first request)', 'lib/RateLimiterRedis.js, incrTtlLuaScript'),
      needsRedis: true,
    },
    {
      library: '@nestjs/throttler',
      setting: '',
      program: 'nestjs-throttler',
      rule: ruleOf(120, 60),
      truth: truthOf('block of fixed length after a refusal', 'dist/throttler.service.js, increment'),
    },
    {
      library: '@nestjs/throttler',
      setting: 'blockDuration 0',
      program: 'nestjs-throttler-no-block',
      rule: ruleOf(120, 45),
      truth: truthOf('sliding window log', 'dist/throttler.service.js, incrementWithoutBlock'),
    },
    {
      library: 'limiter',
      setting: 'TokenBucket',
      program: 'limiter-token-bucket',
      rule: ruleOf(300, 60),
      truth: truthOf('token bucket / GCRA', 'dist/esm/TokenBucket.js, drip'),
    },
    {
      library: 'rolling-rate-limiter',
      setting: 'in memory',
      program: 'rolling-rate-limiter',
      rule: ruleOf(120, 60),
      truth: truthOf('sliding window log, rejections count', 'lib/index.js, getTimestamps', {
        rejections: 'take a place',
      }),
    },
    {
      library: 'koa2-ratelimit',
      setting: 'in memory',
      program: 'koa2-ratelimit',
      rule: ruleOf(120, 60),
      truth: truthOf('fixed window (from the first request)', 'src/MemoryStore.js, incr'),
    },
    {
      library: 'async-ratelimiter',
      setting: 'Redis',
      program: 'async-ratelimiter',
      rule: ruleOf(300, 60),
      truth: truthOf('sliding window log', 'src/index.js, ratelimiter.lua'),
      needsRedis: true,
    },
    {
      library: '@tanstack/pacer',
      setting: 'RateLimiter, sliding',
      program: 'tanstack-pacer-sliding',
      rule: ruleOf(30, 45),
      truth: truthOf('sliding window log', 'dist/rate-limiter.js, #getExecutionTimesInWindow'),
    },
    {
      library: '@upstash/ratelimit',
      setting: 'fixedWindow, Redis',
      program: 'upstash-fixed',
      rule: ruleOf(120, 60),
      truth: truthOf('fixed window (wall clock)', 'dist/index.mjs, RegionRatelimit.fixedWindow'),
      needsRedis: true,
    },
    {
      library: '@upstash/ratelimit',
      setting: 'slidingWindow, Redis',
      program: 'upstash-sliding',
      rule: ruleOf(300, 60),
      truth: truthOf('sliding window counter', 'dist/index.mjs, slidingWindowLimitScript'),
      needsRedis: true,
    },
    {
      library: '@upstash/ratelimit',
      setting: 'tokenBucket, refilled six times a window, Redis',
      program: 'upstash-token-bucket',
      rule: ruleOf(120, 60),
      truth: truthOf('token bucket / GCRA', 'dist/index.mjs, tokenBucketLimitScript'),
      needsRedis: true,
    },
    {
      library: 'express-rate-limit',
      setting: 'stacked: 12 in a second too',
      program: 'stacked-windows',
      rule: ruleOf(120, 60),
      truth: truthOf('fixed window (from the first request)', 'dist/index.mjs, MemoryStore', {
        shorter: { limit: 12, windowSeconds: 1 },
      }),
    },
    {
      library: 'hapi-rate-limit',
      setting: 'userLimit',
      program: 'hapi-rate-limit',
      rule: ruleOf(300, 45),
      truth: truthOf('fixed window (from the first request)', 'lib/internals.js, userCheck'),
    },
    {
      library: 'bottleneck',
      setting: 'reservoir',
      program: 'bottleneck-reservoir',
      rule: ruleOf(120, 60),
      truth: truthOf(
        'fixed window (own phase)',
        'lib/LocalDatastore.js, _startHeartbeat: since the first request',
      ),
    },
    {
      library: 'bottleneck',
      setting: 'maxConcurrent',
      program: 'bottleneck',
      rule: ruleOf(10, 60),
      truth: truthOf('concurrency limit', 'lib/Job.js and lib/LocalDatastore.js', { windowSeconds: null }),
    },
  ],
  {
    origin: 'npm',
    pinned,
    programOf: async (program, { limit, seconds }, { port, redisPort }) => ({
      command: process.execPath,
      args: ['serve.mjs', program, limit, seconds, port, redisPort].map(String),
      folder: await installed('node'),
    }),
  },
);

const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()) });

async function pinned(library: string): Promise<string> {
  const { dependencies } = manifestSchema.parse(JSON.parse(await readSource('node', 'package.json')));
  const version = dependencies[library];
  if (version === undefined) throw new Error(`programs/node/package.json does not name ${library}`);
  return version;
}
