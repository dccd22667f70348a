import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@redis/client';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openWindow, type Rate } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { moments, rates } from '../../limiters/testing/histories.ts';
import { needing } from '../../testing/needs.ts';
import { type RedisServer, redisIsHere, startRedis } from '../testing/redis-server.ts';
import { openRedisStore, type RateStore } from './redis-store.ts';
import { parseRedisUrl } from './redis-url.ts';

let redis: RedisServer;
const stores: RateStore[] = [];

async function open(namespace: string): Promise<RateStore> {
  const health = { failed: () => undefined, works: () => undefined };
  const address = parseRedisUrl(redis.url);
  const store = await openRedisStore({ address, namespace, connection: 0, health, decisionMsMax: 15_000 });
  stores.push(store);
  return store;
}

const connect = () => createClient({ url: redis.url }).connect();

/** Uses a connection of the test's own. */
async function withClient(
  use: (client: Awaited<ReturnType<typeof connect>>) => Promise<void>,
): Promise<void> {
  const client = await connect();
  try {
    await use(client);
  } finally {
    client.destroy();
  }
}

/** The script itself, with a clock that the test sets by two more arguments, the last. */
function scriptWithClock(): string {
  const script = readFileSync(join(import.meta.dirname, 'sliding-log.lua'), 'utf8');
  const clock = "redis.call('TIME')";
  expect(script.split(clock)).toHaveLength(2);
  return script.replace(clock, '{ ARGV[#ARGV - 1], ARGV[#ARGV] }');
}

/** Keys expire by Redis's own clock: moments that a test makes up lie well ahead of it. */
const aheadMs = 2e12;

/** What requests take of a limit, in turns. */
const costs = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
);

function numbers(values: readonly number[]): string[] {
  return values.map((value) => String(value));
}

describe('the sliding log in Redis', needing('redis', redisIsHere()), () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(() => {
    for (const store of stores.splice(0)) store.close();
  });
  afterAll(() => redis.remove());

  it('decides as the one in memory, whatever the history', async () => {
    await withClient(async (client) => {
      const sha = await client.scriptLoad(scriptWithClock());
      let run = 0;
      const decide = (rate: Rate, nowMs: number, cost: number) => {
        const seconds = Math.floor(nowMs / 1_000);
        const microseconds = (nowMs - seconds * 1_000) * 1_000;
        const texts = numbers([rate.limit, rate.windowMs * 1_000, cost, seconds, microseconds]);
        return client.evalSha(sha, { keys: [`history ${run}`], arguments: texts });
      };
      await fc.assert(
        fc.asyncProperty(rates, moments, costs, async (rate, requestsMs, dear) => {
          run += 1;
          const window = openWindow(slidingLog(rate));
          const asked = requestsMs.map((requestMs, at) => ({
            ms: aheadMs + requestMs,
            cost: Math.min(rate.limit, dear[at % dear.length] ?? 1),
          }));
          const expected = asked.map(({ ms, cost }) => {
            const { admitted, remaining, resetMs, retryAfterMs } = window.decide(ms, cost);
            return [
              admitted ? 1 : 0,
              remaining,
              ...[resetMs, ms + retryAfterMs, ms].map((one) => one * 1_000),
            ];
          });
          const replies = asked.map(({ ms, cost }) => decide(rate, ms, cost));
          expect(await Promise.all(replies)).toEqual(expected);
        }),
        { seed: 1, numRuns: 200 },
      );
    });
  });

  it('waits for a clock that was set back', async () => {
    await withClient(async (client) => {
      const script = scriptWithClock();
      const at = (seconds: number) =>
        client.eval(script, {
          keys: ['back'],
          arguments: numbers([2, 60e6, 1, aheadMs / 1_000 + seconds, 0]),
        });
      const moment = (seconds: number) => aheadMs * 1_000 + seconds * 1e6;
      expect(await at(0)).toEqual([1, 1, moment(60), moment(0), moment(0)]);
      expect(await at(-30)).toEqual([1, 0, moment(60), moment(60), moment(0)]);
      expect(await at(-20)).toEqual([0, 0, moment(60), moment(60), moment(0)]);
      expect(await at(59)).toEqual([0, 0, moment(60), moment(60), moment(59)]);
      expect(await at(60)).toEqual([1, 1, moment(120), moment(60), moment(60)]);
    });
  });

  it('decides by the clock of Redis, to the microsecond as the one in memory would', async () => {
    const store = await open('own clock');
    const rate = { limit: 3, windowMs: 30 };
    const window = openWindow(slidingLog(rate));
    for (let request = 0; request < 60; request += 1) {
      const answer = await store.decide('A', rate, 1);
      if (answer.kind !== 'decided') throw new Error('Redis gave no answer');
      const { retryAfterMs, ...expected } = window.decide(answer.nowMs);
      expect(answer.decision).toMatchObject({ admitted: expected.admitted, remaining: expected.remaining });
      expect(answer.decision.resetMs).toBeCloseTo(expected.resetMs, 2);
      expect(answer.decision.retryAfterMs).toBeCloseTo(retryAfterMs, 2);
      await setTimeout((request * 7) % 11);
    }
  });

  it('admits exactly the limit to three connections at once, each key for itself', async () => {
    const nodes = await Promise.all([open('together'), open('together'), open('together')]);
    const rate = { limit: 100, windowMs: 60_000 };
    const requests = Array.from({ length: 600 }, (_, index) => index);
    const answers = await Promise.all(
      requests.map(async (index) => {
        const key = index % 2 === 0 ? 'A' : 'B';
        return { key, answer: await nodes[index % 3]?.decide(key, rate, 1) };
      }),
    );
    for (const key of ['A', 'B']) {
      const decisions = answers.flatMap((one) =>
        one.key === key && one.answer?.kind === 'decided' ? [one.answer.decision] : [],
      );
      expect(decisions).toHaveLength(300);
      const remaining = decisions.filter(({ admitted }) => admitted).map((decision) => decision.remaining);
      expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, left) => left));
    }
  });

  it('gives each its own answer where many ask in one turn, by other limits and lengths', async () => {
    const store = await open('one turn');
    const asked = Array.from({ length: 250 }, (_, index) => index);
    const answers = await Promise.all(
      asked.map((index) =>
        store.decide(`key ${index}`, { limit: index + 1, windowMs: 1_000 * (index + 1) }, 1),
      ),
    );
    const found = answers.map((answer) => {
      if (answer.kind !== 'decided') throw new Error('Redis gave no answer');
      const { decision, nowMs } = answer;
      return [decision.remaining, Math.round(decision.resetMs - nowMs)];
    });
    expect(found).toEqual(asked.map((index) => [index, 1_000 * (index + 1)]));
  });

  it('keeps what other namespaces count apart', async () => {
    const rate = { limit: 1, windowMs: 60_000 };
    for (const name of ['one', 'other']) {
      expect(await (await open(name)).decide('A', rate, 1)).toMatchObject({ decision: { admitted: true } });
    }
  });

  it('leaves nothing in Redis when the next window is over', async () => {
    const store = await open('expiry');
    await store.decide('short', { limit: 5, windowMs: 50 }, 1);
    await withClient(async (client) => {
      await expect.poll(() => client.exists('expiry:short'), { timeout: 10_000 }).toBe(0);
    });
  });

  it('forgets no log before its newest request leaves, and each within a window after that', async () => {
    await withClient(async (client) => {
      const script = scriptWithClock();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(rates, moments, async (rate, requestsMs) => {
          run += 1;
          const key = `kept ${run}`;
          for (const requestMs of requestsMs) {
            const seconds = Math.floor((aheadMs + requestMs) / 1_000);
            const microseconds = (aheadMs + requestMs - seconds * 1_000) * 1_000;
            const texts = numbers([rate.limit, rate.windowMs * 1_000, 1, seconds, microseconds]);
            await client.eval(script, { keys: [key], arguments: texts });
            const newestMs = Number(await client.lIndex(key, -1)) / 1_000;
            const expiresMs = await client.pExpireTime(key);
            expect(expiresMs).toBeGreaterThanOrEqual(newestMs);
            expect(expiresMs).toBeLessThanOrEqual(Math.ceil(newestMs + rate.windowMs));
          }
        }),
        { seed: 1, numRuns: 50 },
      );
    });
  });
});
