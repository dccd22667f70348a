import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { MemoryStore } from 'express-rate-limit';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { openWindow } from '../limiters/limiter.ts';
import { slidingLog } from '../limiters/sliding-log.ts';
import { createWindowTable } from '../service/window-table.ts';
import { cpuSeconds, median } from './cpu-seconds.ts';
import { installed } from './gallery/programs.ts';
import { inTurns } from './in-turns.ts';
import type { Bench, Measure } from './measure.ts';

const rate = { limit: 300, windowMs: 60_000 };
const decisionsFirst = 100_000;
const roundSeconds = 0.25;
const manyKeys = 100_000;
const idleKeys = 1_000_000;
const decisionsPerSecondMin = 40e6;
const pauseMsMax = 10;

/** Decisions alone, without a server: one key, many keys by their name, and what a table of idle keys costs. */
export const limitersBench: Bench = {
  name: 'limiters',
  about: `decisions of ${rate.limit} in ${rate.windowMs / 1_000} s, by processor time; medians of rounds in turns`,
  run: async (say, { secondsEach }) => {
    const limiter = await packagedLimiter(say);
    say('one key');
    const one = await oneKey(limiter, secondsEach);
    say(`${manyKeys} keys`);
    const many = await eachOfManyKeys(limiter, secondsEach);
    say(`${idleKeys} keys, mostly idle`);
    return [...one, ...many, ...idle()];
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
    const folder = await installed('node');
    const at = createRequire(join(folder, 'package.json')).resolve('limiter');
    return (await import(pathToFileURL(at).href)) as LimiterPackage;
  } catch (error) {
    say(`without the package limiter: ${error instanceof Error ? error.message : String(error)}`);
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
  ];
}

async function oneKey(limiter: LimiterPackage | null, secondsEach: number): Promise<readonly Measure[]> {
  const window = openWindow(slidingLog(rate));
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
  const open = () => openWindow(slidingLog(rate));
  let nowMs = 0;
  const ours: Contender = {
    name: 'this project',
    decide: (count) => {
      for (let sent = 0; sent < count; sent += 1) {
        nowMs += 0.01;
        table.at(keys[sent % keys.length] ?? '', nowMs, open).decide(nowMs);
      }
    },
  };
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
  const ratePerSecond = async ({ decide }: Contender, decisions: number): Promise<number> => {
    const before = process.cpuUsage();
    await decide(decisions);
    const { user, system } = process.cpuUsage(before);
    return (decisions * 1e6) / (user + system);
  };
  const rounds: [string, () => Promise<number>][] = [];
  for (const one of all) {
    // Not counted, for it compiles. It says how many decisions a round of each has, so that all rounds take as long.
    const first = await ratePerSecond(one, decisionsFirst);
    const decisions = Math.ceil(first * roundSeconds);
    rounds.push([one.name, () => ratePerSecond(one, decisions)]);
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

/** A million keys that come once, and then expire while others are decided about. */
function idle(): readonly Measure[] {
  const table = createWindowTable(rate.windowMs);
  const open = () => openWindow(slidingLog(rate));
  const before = process.memoryUsage().heapUsed;
  for (let key = 0; key < idleKeys; key += 1) table.at(`key ${key}`, key * 0.05, open).decide(key * 0.05);
  const bytes = (process.memoryUsage().heapUsed - before) / table.size;
  const pausesMs: number[] = [];
  const spent = cpuSeconds(() => {
    for (let nowMs = idleKeys * 0.05; table.size > 1; nowMs += 10) {
      const beganMs = performance.now();
      table.at('used', nowMs, open).decide(nowMs);
      pausesMs.push(performance.now() - beganMs);
    }
  });
  const longestMs = Math.max(...pausesMs);
  return [
    { measured: `heap a key, ${idleKeys} keys of one request each`, ours: `${bytes.toFixed(0)} bytes` },
    { measured: 'processor while they expire', ours: `${spent.toFixed(2)} s` },
    {
      measured: `longest decision of ${pausesMs.length} while they expire, by the clock`,
      ours: `${longestMs.toFixed(2)} ms`,
      bar: { text: `≤ ${pauseMsMax} ms`, isMet: longestMs <= pauseMsMax },
    },
  ];
}
