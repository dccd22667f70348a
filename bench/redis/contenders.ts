import { hash } from 'node:crypto';
import { createClient } from '@redis/client';
import { Ratelimit } from '@upstash/ratelimit';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Rate } from '../../limiters/limiter.ts';
import { openRedisStore } from '../../service/store/redis-store.ts';
import { parseRedisUrl } from '../../service/store/redis-url.ts';

/** A limiter that counts in Redis, over one connection of its own. */
export type Contender = {
  /** Whether the request is admitted. */
  readonly decide: (key: string) => Promise<boolean>;
  readonly close: () => void;
};

/** Opens a limiter of a rate on the Redis at a URL. Whole seconds only: one of them knows no others. */
export type OpenContender = (url: string, rate: Rate) => Promise<Contender>;

/** This project's, as a node of the service opens it. */
export const thisProject: OpenContender = async (url, rate) => {
  const store = await openRedisStore({
    address: parseRedisUrl(url),
    namespace: 'this-project',
    connection: 0,
    // A decision that fails is thrown below.
    health: { failed: () => undefined, works: () => undefined },
    decisionMsMax: 15_000,
  });
  return {
    decide: async (key) => {
      const answer = await store.decide(key, rate, 1);
      if (answer.kind !== 'decided') throw new Error('Redis gave no answer');
      return answer.decision.admitted;
    },
    close: store.close,
  };
};

/** A fixed window. Its script is called by its hash, as with ioredis; with this client it would send the whole each time. */
export const rateLimiterFlexible: OpenContender = async (url, { limit, windowMs }) => {
  const client = await createClient({ url }).connect();
  let script = '';
  let loaded = '';
  const limiter = new RateLimiterRedis({
    storeClient: {
      defineCommand: (_: string, { lua }: { readonly lua: string }) => {
        script = lua;
      },
      rlflxIncr: ([key = '', ...values]: readonly string[]) =>
        client.evalSha(loaded, { keys: [key], arguments: values }),
    },
    keyPrefix: 'rate-limiter-flexible',
    points: limit,
    duration: windowMs / 1_000,
  });
  loaded = await client.scriptLoad(script);
  return {
    decide: async (key) => {
      try {
        await limiter.consume(key);
        return true;
      } catch (error) {
        if (error instanceof RateLimiterRes) return false;
        throw error;
      }
    },
    close: () => client.destroy(),
  };
};

/** Two fixed windows, the earlier one weighed. Its service is reached over HTTP; its scripts run in any Redis. */
export const upstash: OpenContender = async (url, { limit, windowMs }) => {
  const client = await createClient({ url }).connect();
  const loaded = new Map<string, string>();
  const call = (sha: string, keys: string[], values: readonly unknown[]) =>
    client.evalSha(sha, { keys, arguments: values.map(String) });
  const redis = {
    evalsha: (hash: string, keys: string[], values: readonly unknown[]) => {
      const sha = loaded.get(hash);
      return sha === undefined ? Promise.reject(new Error('NOSCRIPT')) : call(sha, keys, values);
    },
    eval: async (script: string, keys: string[], values: readonly unknown[]) => {
      // Its first line names a flag that its service alone knows.
      const sha = await client.scriptLoad(script.replace(/^#!lua.*\n/, ''));
      loaded.set(hash('sha1', script), sha);
      return call(sha, keys, values);
    },
  };
  const ratelimit = new Ratelimit({
    redis: redis as unknown as ConstructorParameters<typeof Ratelimit>[0]['redis'],
    limiter: Ratelimit.slidingWindow(limit, `${windowMs} ms`),
    prefix: 'upstash',
    analytics: false,
    // Redis decides about every request, as for the others.
    ephemeralCache: false,
  });
  return {
    decide: async (key) => (await ratelimit.limit(key)).success,
    close: () => client.destroy(),
  };
};
