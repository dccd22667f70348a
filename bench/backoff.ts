import { simulate } from '../backoff/simulate.ts';
import { network } from '../backoff/simulation/network.ts';
import type { Setting } from '../backoff/simulation/setting.ts';
import { fullJitter } from '../backoff/strategies/jitter.ts';
import { retryAfterAlone, retryAfterJitter } from '../backoff/strategies/retry-after.ts';
import { windowMirror } from '../backoff/strategies/window-mirror.ts';
import { type AnyStrategy, erased } from '../backoff/strategies.ts';
import { plainSimulation } from '../backoff/testing/plain-simulation.ts';
import { documentedLimits, documentedWindowMs } from '../contract/scopes.ts';
import type { Limiter } from '../limiters/limiter.ts';
import { slidingLog } from '../limiters/sliding-log.ts';
import { seeded } from '../run/seeded.ts';
import { cpuSeconds, median } from './cpu-seconds.ts';
import { inTurns } from './in-turns.ts';
import type { Bench, Measure } from './measure.ts';

const eventsPerSecondMin = 5_000_000;
const runsPerRound = 100;

const rate = { limit: documentedLimits.messages, windowMs: documentedWindowMs };

const setting: Setting = {
  limiter: slidingLog(rate) as Limiter<unknown>,
  clients: 20,
  processes: 1,
  jobs: 4 * rate.limit,
  opening: 'warm',
  network: network({ medianMs: 24, p99Ms: 48, lossShare: 0 }),
  sendsRetryAfter: true,
  startMs: 100_000,
  horizonMs: 100 * rate.windowMs,
};

const strategies: readonly AnyStrategy[] = [
  erased(retryAfterAlone()),
  erased(retryAfterJitter({ leastMs: 0, jitterMs: 2_000, growth: 2, capMs: 20_000 })),
  erased(fullJitter({ baseMs: 500, capMs: 30_000, retryAfter: 'floor' })),
  erased(windowMirror({ ...rate, sharedBy: 'key' })),
];

/** Backlogs of 1200 jobs at `/v1/messages`, worked off by 20 clients, as `conformance tune` plays them by the hundred. */
export const backoffBench: Bench = {
  name: 'backoff',
  about:
    'events a second of one core, in simulated backlogs; the peer is a plain simulation of the same ones',
  run: async (say, { secondsEach }) => {
    const measures: Measure[] = [];
    for (const strategy of strategies) {
      say(strategy.name);
      measures.push(await measureOf(strategy.name, { played: [strategy], secondsEach }));
    }
    say('all in turn');
    const all = { played: strategies, secondsEach };
    return [...measures, await measureOf('all four in turn', all, eventsPerSecondMin)];
  },
};

type Played = { readonly played: readonly AnyStrategy[]; readonly secondsEach: number };

async function measureOf(name: string, { played, secondsEach }: Played, bar?: number): Promise<Measure> {
  // Both play the same backlogs, others in each round.
  const rounds = { ours: 0, peer: 0 };
  const { ours, peer } = await inTurns(secondsEach, {
    ours: () => eventsPerSecond(simulate, played, rounds.ours++),
    peer: () => eventsPerSecond(plainSimulation, played, rounds.peer++),
  });
  const rate = median(ours);
  const peerRate = median(peer);
  return {
    measured: `events a second, ${name}`,
    ours: inMillions(rate),
    peer: inMillions(peerRate),
    ratio: rate / peerRate,
    ...(bar === undefined ? {} : { bar: { text: `≥ ${inMillions(bar)}`, isMet: rate >= bar } }),
  };
}

function eventsPerSecond(play: typeof plainSimulation, played: readonly AnyStrategy[], seed: number): number {
  let events = 0;
  const seconds = cpuSeconds(() => {
    const random = seeded(seed);
    for (let run = 0; run < runsPerRound; run += 1) {
      const strategy = played[run % played.length] as AnyStrategy;
      events += play({ ...setting, startMs: 100_000 + run * 6_137 }, strategy, random).events;
    }
  });
  return events / seconds;
}

function inMillions(rate: number): string {
  return `${(rate / 1e6).toFixed(2)} M`;
}
