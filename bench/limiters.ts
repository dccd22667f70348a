import process from 'node:process';
import { MemoryStore } from 'express-rate-limit';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { openWindow } from '../limiters/limiter.ts';
import { slidingLog } from '../limiters/sliding-log.ts';
import { createWindowTable } from '../service/window-table.ts';
import { cpuSeconds, median } from './cpu-seconds.ts';
import type { Bench, Measure } from './measure.ts';

const rate = { limit: 300, windowMs: 60_000 };
const rounds = 5;
const manyKeys = 100_000;
const idleKeys = 1_000_000;
const decisionsPerSecondMin = 40e6;
const pauseMsMax = 10;

/** Decisions alone, without a server: one key, many keys by their name, and what a table of idle keys costs. */
export const limitersBench: Bench = {
  name: 'limiters',
  about: `decisions of ${rate.limit} in ${rate.windowMs / 1_000} s, by processor time; medians of ${rounds} rounds in turns`,
  run: async (say) => {
    say('one key');
    const one = await oneKey();
    say(`${manyKeys} keys`);
    const many = await eachOfManyKeys();
    say(`${idleKeys} keys, mostly idle`);
    return [...one, ...many, ...idle()];
  },
};

type Contender = { readonly name: string; readonly decide: (count: number) => Promise<void> | void };

function peersOf(keys: readonly string[]): readonly Contender[] {
  const flexible = new RateLimiterMemory({ points: rate.limit, duration: rate.windowMs / 1_000 });
  const store = new MemoryStore();
  store.init({ windowMs: rate.windowMs } as Parameters<MemoryStore['init']>[0]);
  return [
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

async function oneKey(): Promise<readonly Measure[]> {
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
    count: 10_000_000,
    ours,
    peers: peersOf(['key']),
    perSecondMin: decisionsPerSecondMin,
  });
}

async function eachOfManyKeys(): Promise<readonly Measure[]> {
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
    count: 1_000_000,
    ours,
    peers: peersOf(keys),
    perSecondMin: null,
  });
}

type Comparison = {
  readonly measured: string;
  /** Decisions in a round of ours. */
  readonly count: number;
  readonly ours: Contender;
  readonly peers: readonly Contender[];
  readonly perSecondMin: number | null;
};

async function compared({
  measured,
  count,
  ours,
  peers,
  perSecondMin,
}: Comparison): Promise<readonly Measure[]> {
  const all = [ours, ...peers];
  const perSecond = new Map<string, number[]>(all.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, decide } of all) {
      // A peer gives promises, and so gets fewer decisions in as long a time.
      const decisions = name === ours.name ? count : count / 20;
      const before = process.cpuUsage();
      await decide(decisions);
      const { user, system } = process.cpuUsage(before);
      if (round > 0) perSecond.get(name)?.push((decisions * 1e6) / (user + system));
    }
  }
  const rateOf = ({ name }: Contender): number => median(perSecond.get(name) ?? []);
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
      measured: `longest decision of ${pausesMs.length} while they expire`,
      ours: `${longestMs.toFixed(2)} ms`,
      bar: { text: `≤ ${pauseMsMax} ms`, isMet: longestMs <= pauseMsMax },
    },
  ];
}
