import process from 'node:process';
import type { Rate } from '../limiters/limiter.ts';
import { startRedis } from '../service/testing/redis-server.ts';
import { median } from './cpu-seconds.ts';
import { inTurns } from './in-turns.ts';
import type { Bench, Measure } from './measure.ts';
import {
  type Contender,
  type OpenContender,
  rateLimiterFlexible,
  thisProject,
  upstash,
} from './redis/contenders.ts';

const keys = Array.from({ length: 100 }, (_, key) => `key-${key}`);

const roundMs = 1_000;

type Name = 'ours' | 'flexible' | 'upstash';

const contenders: Readonly<Record<Name, OpenContender>> = {
  ours: thisProject,
  flexible: rateLimiterFlexible,
  upstash,
};

const peers = { flexible: 'rate-limiter-flexible', upstash: '@upstash/ratelimit' } as const;

type Case = {
  readonly name: string;
  readonly rate: Rate;
  readonly admitted: boolean;
  readonly atOnce: number;
};

// A second, so that what was admitted leaves the window while it is measured, as it does in any that runs for long.
const admitting = { name: 'admitted', rate: { limit: 1_000_000, windowMs: 1_000 }, admitted: true };
// No window that is aligned to the clock has a boundary before 2033, so that none comes back in the middle of the measuring.
const refusing = { name: 'refused', rate: { limit: 1, windowMs: 10 ** 12 }, admitted: false };

const cases: readonly Case[] = [admitting, refusing].flatMap((one) => [
  { ...one, atOnce: 50 },
  { ...one, atOnce: 1 },
]);

/** Decisions that Redis takes, without a server in front of it. */
export const redisBench: Bench = {
  name: 'redis',
  about: `a decision that Redis takes, from the call to the answer, ${keys.length} keys: one process, one connection each to the same Redis (on a Unix socket), in turns; medians of rounds of ${roundMs / 1_000} s`,
  remarks: [
    'What is decided at once goes to Redis as one command here: its script decides about many keys, and its answers come back as one. rate-limiter-flexible counts in a fixed window, @upstash/ratelimit in two that it weighs; this project keeps an exact log. @upstash/ratelimit is made for a service over HTTP; here it talks to Redis by the same client as the others, and its memory of who is refused is off, so that Redis decides about every request.',
  ],
  run: async (say, { secondsEach }) => {
    const redis = await startRedis();
    try {
      const measures: Measure[] = [];
      for (const one of cases) {
        say(`${one.name}, ${one.atOnce} at once`);
        measures.push(...(await measured(redis.url, one, secondsEach)));
      }
      return measures;
    } finally {
      await redis.remove();
    }
  },
};

/** Of one round: latencies in ms, and decisions for a second of this process's CPU time. */
type Round = { readonly p50Ms: number; readonly p99Ms: number; readonly perCpuSecond: number };

async function measured(url: string, one: Case, secondsEach: number): Promise<readonly Measure[]> {
  const opened: Contender[] = [];
  const rounds: Record<Name, Round[]> = { ours: [], flexible: [], upstash: [] };
  const names = Object.keys(contenders) as Name[];
  try {
    const taken = await Promise.all(
      names.map(async (name): Promise<[Name, () => Promise<number>]> => {
        const contender = await contenders[name](url, one.rate);
        opened.push(contender);
        return [
          name,
          async () => {
            const round = await roundOf(contender, one);
            rounds[name].push(round);
            return round.p50Ms;
          },
        ];
      }),
    );
    // Not counted: it compiles, and spends the limit of one request.
    for (const contender of opened) await roundOf(contender, { ...one, admitted: null });
    await inTurns(secondsEach, Object.fromEntries(taken));
  } finally {
    for (const contender of opened) contender.close();
  }
  return (['flexible', 'upstash'] as const).flatMap((peer) => measuresOf(one, rounds, peer));
}

type Sending = { readonly atOnce: number; readonly admitted: boolean | null };

async function roundOf({ decide }: Contender, { atOnce, admitted }: Sending): Promise<Round> {
  const latenciesMs: number[] = [];
  let sent = 0;
  const cpuBefore = process.cpuUsage();
  const endMs = performance.now() + roundMs;
  const caller = async (): Promise<void> => {
    for (let sentMs = performance.now(); sentMs < endMs; sentMs = performance.now()) {
      const isAdmitted = await decide(keys[sent++ % keys.length] ?? '');
      latenciesMs.push(performance.now() - sentMs);
      if (admitted !== null && isAdmitted !== admitted)
        throw new Error(`a request was ${isAdmitted ? 'admitted' : 'refused'}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  const { user, system } = process.cpuUsage(cpuBefore);
  const sorted = Float64Array.from(latenciesMs).sort();
  const part = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    p50Ms: part(0.5),
    p99Ms: part(0.99),
    perCpuSecond: latenciesMs.length / ((user + system) / 1e6),
  };
}

function measuresOf(
  { name, atOnce }: Case,
  rounds: Readonly<Record<Name, readonly Round[]>>,
  peer: keyof typeof peers,
): readonly Measure[] {
  const row = (figure: keyof Round, what: string, text: (value: number) => string): Measure => {
    const ours = median(rounds.ours.map((round) => round[figure]));
    const theirs = median(rounds[peer].map((round) => round[figure]));
    const isMet = figure === 'perCpuSecond' ? ours > theirs : ours < theirs;
    return {
      measured: `${what}, ${name}, ${atOnce} at once`,
      ours: text(ours),
      peer: `${text(theirs)} (${peers[peer]})`,
      ratio: ours / theirs,
      bar: { text: 'ahead', isMet },
    };
  };
  const microseconds = (ms: number): string => `${(ms * 1_000).toFixed(0)} µs`;
  return [
    row('p50Ms', 'half of all decisions within', microseconds),
    row('p99Ms', '99 of 100 within', microseconds),
    row('perCpuSecond', 'decisions a CPU second of the process', (value) => value.toFixed(0)),
  ];
}
