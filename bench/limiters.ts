import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ratelimit } from '@upstash/ratelimit';
import { MemoryStore } from 'express-rate-limit';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { z } from 'zod';
import { messageOf } from '../contract/thrown.ts';
import { openSlidingLog } from '../limiters/sliding-log.ts';
import { createWindowTable } from '../service/window-table.ts';
import { median } from './cpu-seconds.ts';
import { packageOf } from './gallery/programs.ts';
import { inTurns } from './in-turns.ts';
import type { Bench, Measure } from './measure.ts';

const rate = { limit: 300, windowMs: 60_000 };
const decisionsFirst = 100_000;
const roundSeconds = 0.25;
const manyKeys = 100_000;
const idleKeys = 1_000_000;
const idleMsMax = 300_000;
const idleRuns = 5;
const decisionsPerSecondMin = 40e6;
const pauseMsMax = 10;

/** Decisions alone, without a server: one key, many keys by their name, and what a table of idle keys costs. */
export const limitersBench: Bench = {
  name: 'limiters',
  about: `decisions of ${rate.limit} in ${rate.windowMs / 1_000} s, by processor time; medians of rounds in turns, and of ${idleRuns} processes for what keys hold and how they expire`,
  run: async (say, { secondsEach }) => {
    const limiter = await packagedLimiter(say);
    say('one key');
    const one = await oneKey(limiter, secondsEach);
    say(`${manyKeys} keys`);
    const many = await eachOfManyKeys(limiter, secondsEach);
    say(`${idleKeys} keys, mostly idle`);
    return [...one, ...many, ...(await idle())];
  },
};

type Contender = { readonly name: string; readonly decide: (count: number) => Promise<void> | void };

type Bucket = { content: number; tryRemoveTokens(count: number): boolean };

type LimiterPackage = {
  readonly TokenBucket: new (
    options: Readonly<Record<'bucketSize' | 'tokensPerInterval' | 'interval', number>>,
  ) => Bucket;
};

/** The npm package `limiter`, installed as for the gallery; left out where it cannot be. */
async function packagedLimiter(say: (line: string) => void): Promise<LimiterPackage | null> {
  try {
    return (await packageOf('limiter')) as LimiterPackage;
  } catch (error) {
    say(`without the package limiter: ${messageOf(error)}`);
    return null;
  }
}

function packagedContender({ TokenBucket }: LimiterPackage, keys: readonly string[]): Contender {
  const { limit, windowMs } = rate;
  const buckets = new Map<string, Bucket>();
  return {
    name: 'limiter',
    decide: (count) => {
      for (let sent = 0; sent < count; sent += 1) {
        const key = keys[sent % keys.length] ?? '';
        let bucket = buckets.get(key);
        if (bucket === undefined) {
          bucket = new TokenBucket({ bucketSize: limit, tokensPerInterval: limit, interval: windowMs });
          // It begins empty.
          bucket.content = limit;
          buckets.set(key, bucket);
        }
        bucket.tryRemoveTokens(1);
      }
    },
  };
}

/** Its script for two weighed windows is played on a map. Its own memory of who is refused is off, so that it decides. */
function upstashContender(keys: readonly string[]): Contender {
  const counts = new Map<string, number>();
  const evalsha = async (
    _script: string,
    [current = '', previous = '']: readonly string[],
    [limit = 0, nowMs = 0, windowMs = 1, by = 0]: readonly number[],
  ): Promise<readonly number[]> => {
    const earlier = Math.floor((1 - (nowMs % windowMs) / windowMs) * (counts.get(previous) ?? 0));
    const count = counts.get(current) ?? 0;
    if (earlier + count >= limit) return [-1, limit];
    counts.set(current, count + by);
    return [limit - count - by - earlier, limit];
  };
  const ratelimit = new Ratelimit({
    redis: { evalsha } as unknown as ConstructorParameters<typeof Ratelimit>[0]['redis'],
    limiter: Ratelimit.slidingWindow(rate.limit, `${rate.windowMs} ms`),
    analytics: false,
    ephemeralCache: false,
  });
  return {
    name: "@upstash/ratelimit's sliding window",
    decide: async (count) => {
      for (let sent = 0; sent < count; sent += 1) await ratelimit.limit(keys[sent % keys.length] ?? '');
    },
  };
}

function peersOf(keys: readonly string[], limiter: LimiterPackage | null): readonly Contender[] {
  const flexible = new RateLimiterMemory({ points: rate.limit, duration: rate.windowMs / 1_000 });
  const store = new MemoryStore();
  store.init({ windowMs: rate.windowMs } as Parameters<MemoryStore['init']>[0]);
  return [
    ...(limiter === null ? [] : [packagedContender(limiter, keys)]),
    {
      name: 'rate-limiter-flexible',
      decide: async (count) => {
        for (let sent = 0; sent < count; sent += 1)
          await flexible.consume(keys[sent % keys.length] ?? '').catch(() => undefined);
      },
    },
    {
      name: "express-rate-limit's MemoryStore",
      decide: async (count) => {
        for (let sent = 0; sent < count; sent += 1) await store.increment(keys[sent % keys.length] ?? '');
      },
    },
    upstashContender(keys),
  ];
}

async function oneKey(limiter: LimiterPackage | null, secondsEach: number): Promise<readonly Measure[]> {
  const window = openSlidingLog(rate);
  let nowMs = 0;
  const ours: Contender = {
    name: 'this project',
    decide: (count) => {
      // Twice the rate: one of two is admitted, and one leaves the log for each.
      for (let sent = 0; sent < count; sent += 1) {
        nowMs += 100;
        window.decide(nowMs);
      }
    },
  };
  return compared({
    measured: 'one key',
    ours,
    peers: peersOf(['key'], limiter),
    secondsEach,
    perSecondMin: decisionsPerSecondMin,
  });
}

async function eachOfManyKeys(
  limiter: LimiterPackage | null,
  secondsEach: number,
): Promise<readonly Measure[]> {
  const keys = Array.from({ length: manyKeys }, (_, key) => `key ${key}`);
  const table = createWindowTable(rate.windowMs);
  const open = () => openSlidingLog(rate);
  let nowMs = 0;
  const ours: Contender = {
    name: 'this project',
    decide: (count) => {
      for (let sent = 0; sent < count; sent += 1) {
        // Each key once in a second: 60 of its requests are in its window.
        nowMs += 1_000 / manyKeys;
        table.at(keys[sent % keys.length] ?? '', nowMs, open).decide(nowMs);
      }
    },
  };
  // A window, so that no log grows while it is measured.
  await ours.decide((manyKeys * rate.windowMs) / 1_000);
  return compared({
    measured: `${manyKeys} keys by their name`,
    ours,
    peers: peersOf(keys, limiter),
    secondsEach,
    perSecondMin: null,
  });
}

type Comparison = {
  readonly measured: string;
  readonly ours: Contender;
  readonly peers: readonly Contender[];
  readonly perSecondMin: number | null;
  readonly secondsEach: number;
};

async function compared({
  measured,
  ours,
  peers,
  perSecondMin,
  secondsEach,
}: Comparison): Promise<readonly Measure[]> {
  const all = [ours, ...peers];
  const secondsOf = async ({ decide }: Contender, decisions: number): Promise<number> => {
    const before = process.cpuUsage();
    await decide(decisions);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const rounds: [string, () => Promise<number>][] = [];
  for (const one of all) {
    // Not counted: while it compiles it takes many times as long, and a round should take as long for each.
    let decisions = decisionsFirst;
    while ((await secondsOf(one, decisions)) < roundSeconds) decisions *= 2;
    rounds.push([one.name, async () => decisions / (await secondsOf(one, decisions))]);
  }
  const perSecond = await inTurns(secondsEach, Object.fromEntries(rounds));
  const rateOf = ({ name }: Contender): number => median(perSecond[name] ?? []);
  const millions = (value: number): string => `${(value / 1e6).toFixed(2)} M/s`;
  const alone: readonly Measure[] =
    perSecondMin === null
      ? []
      : [
          {
            measured: `decisions, ${measured}`,
            ours: millions(rateOf(ours)),
            bar: { text: `≥ ${perSecondMin / 1e6} M/s`, isMet: rateOf(ours) >= perSecondMin },
          },
        ];
  return [
    ...alone,
    ...peers.map((peer): Measure => {
      const ratio = rateOf(ours) / rateOf(peer);
      return {
        measured: `decisions, ${measured}`,
        ours: millions(rateOf(ours)),
        peer: `${millions(rateOf(peer))} (${peer.name})`,
        ratio,
        bar: { text: 'ahead', isMet: ratio > 1 },
      };
    }),
  ];
}

const decided = z.object({ seconds: z.number(), decisions: z.number(), longestMs: z.number() });
const idleFound = z.object({ bytesEach: z.number(), before: decided, expiring: decided });

async function idle(): Promise<readonly Measure[]> {
  const program = fileURLToPath(new URL('./idle-keys.ts', import.meta.url));
  const words = [program, ...[idleKeys, rate.limit, rate.windowMs].map(String)];
  const found: z.infer<typeof idleFound>[] = [];
  for (let run = 0; run < idleRuns; run += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: idleMsMax });
    found.push(idleFound.parse(JSON.parse(stdout)));
  }
  const bytesEach = median(found.map((one) => one.bytesEach));
  const before = medianOf(found.map((one) => one.before));
  const expiring = medianOf(found.map((one) => one.expiring));
  return [
    { measured: `heap a key, ${idleKeys} keys of one request each`, ours: `${bytesEach.toFixed(0)} bytes` },
    {
      measured: `longest decision of ${before.decisions} before any of them expires`,
      ours: `${before.longestMs.toFixed(2)} ms`,
    },
    { measured: 'processor while they expire', ours: `${expiring.seconds.toFixed(2)} s` },
    {
      measured: `longest decision of ${expiring.decisions} while they expire, by the clock`,
      ours: `${expiring.longestMs.toFixed(2)} ms`,
      bar: { text: `≤ ${pauseMsMax} ms`, isMet: expiring.longestMs <= pauseMsMax },
    },
  ];
}

/** Of several runs the median of each figure: another process that takes the processor looks like a long decision. */
function medianOf(runs: readonly z.infer<typeof decided>[]): z.infer<typeof decided> {
  return {
    seconds: median(runs.map(({ seconds }) => seconds)),
    decisions: median(runs.map(({ decisions }) => decisions)),
    longestMs: median(runs.map(({ longestMs }) => longestMs)),
  };
}
