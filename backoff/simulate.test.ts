import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../limiters/fixed-window.ts';
import type { Limiter, Rate } from '../limiters/limiter.ts';
import { slidingLog } from '../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../limiters/sliding-log-counting-rejections.ts';
import { tokenBucket } from '../limiters/token-bucket.ts';
import { twoBucket } from '../limiters/two-bucket.ts';
import { simulate } from './simulate.ts';
import { network } from './simulation/network.ts';
import { headerGate, headerSpacing } from './strategies/headers.ts';
import { decorrelatedJitter, fullJitter } from './strategies/jitter.ts';
import { retryAfterAlone, retryAfterJitter } from './strategies/retry-after.ts';
import { windowMirror } from './strategies/window-mirror.ts';
import { type AnyStrategy, erased, todaysStrategies } from './strategies.ts';
import { plainSimulation } from './testing/plain-simulation.ts';
import { drawn, settingOf } from './testing/settings.ts';

const floor = { baseMs: 500, capMs: 20_000, retryAfter: 'floor', attemptsMax: 50 } as const;
const jitter = { leastMs: 0, jitterMs: 2_000, growth: 2, capMs: 20_000 };

function strategiesAt({ limit, windowMs }: Rate): readonly AnyStrategy[] {
  const { none, ...today } = todaysStrategies({ isIdempotent: true });
  return [
    ...Object.values(today),
    erased(fullJitter(floor)),
    erased(decorrelatedJitter(floor)),
    erased(retryAfterJitter(jitter)),
    erased(headerGate(jitter)),
    erased(headerSpacing({ ...jitter, sharers: 5, below: 0.2, limit })),
    erased(windowMirror({ limit, windowMs, sharedBy: 'key' })),
    erased(windowMirror({ limit, windowMs, sharedBy: 'process' })),
  ];
}

const limiters: readonly ((rate: Rate) => unknown)[] = [
  slidingLog,
  slidingLogCountingRejections,
  fixedWindow,
  twoBucket,
  tokenBucket,
];

const backlogs = fc.record({
  limit: fc.integer({ min: 1, max: 40 }),
  limiter: fc.constantFrom(...limiters),
  clients: fc.integer({ min: 1, max: 60 }),
  processes: fc.integer({ min: 1, max: 5 }),
  jobs: fc.integer({ min: 1, max: 150 }),
  opening: fc.constantFrom('cold', 'warm'),
  lossShare: fc.constantFrom(0, 0.05),
  startMs: fc.integer({ min: 0, max: 200_000 }),
  strategy: fc.nat(),
  seed: fc.integer({ min: 1, max: 1e6 }),
});

type Backlog = typeof backlogs extends fc.Arbitrary<infer Value> ? Value : never;

function settingAndStrategy({ limit, limiter, lossShare, strategy, ...rest }: Backlog) {
  const rate = { limit, windowMs: 10_000 };
  const strategies = strategiesAt(rate);
  const setting = settingOf({
    ...rest,
    rate,
    limiter: limiter(rate) as Limiter<unknown>,
    network: network({ medianMs: 24, p99Ms: 60, lossShare }),
  });
  return { setting, strategy: strategies[strategy % strategies.length] as AnyStrategy };
}

describe('simulation', () => {
  it('gives the very figures of the plain one, whatever the backlog', () => {
    fc.assert(
      fc.property(backlogs, (backlog) => {
        const { setting, strategy } = settingAndStrategy(backlog);
        const plain = plainSimulation(setting, strategy, drawn(backlog.seed));
        expect(simulate(setting, strategy, drawn(backlog.seed))).toMatchObject(plain);
      }),
      { seed: 6_101, numRuns: 150 },
    );
  });

  it('never lets what is ours retry early, whatever the limiter and the network', () => {
    fc.assert(
      fc.property(backlogs, (backlog) => {
        const { setting, strategy } = settingAndStrategy(backlog);
        fc.pre(strategy.heedsRetryAfter);
        const { early } = simulate(setting, strategy, drawn(backlog.seed));
        expect(early).toBe(0);
      }),
      { seed: 6_102, numRuns: 300 },
    );
  });

  it('counts what it says: requests, answers, jobs', () => {
    const { none } = todaysStrategies({ isIdempotent: true });
    const setting = settingOf({ rate: { limit: 5, windowMs: 1_000 }, clients: 3, jobs: 12 });
    const outcome = simulate(setting, none, drawn(1));
    expect(outcome.admitted).toBe(12);
    expect(outcome.sent).toBe(outcome.admitted + outcome.limited);
    expect(outcome.events).toBe(2 * outcome.sent + 3);
    expect(outcome.early).toBeGreaterThan(0);
    expect(outcome.lostJobs).toBe(0);
    expect(outcome.makespanMs).toBeGreaterThan(2_000);
  });

  it('loses the jobs that a strategy gives up on', () => {
    const { got } = todaysStrategies({ isIdempotent: false });
    const setting = settingOf({ rate: { limit: 5, windowMs: 1_000 }, clients: 3, jobs: 12 });
    const { admitted, lostJobs, p99Ms, p50Ms } = simulate(setting, got, drawn(1));
    expect([admitted, lostJobs, p99Ms]).toEqual([5, 7, Number.POSITIVE_INFINITY]);
    expect(p50Ms).toBe(Number.POSITIVE_INFINITY);
  });

  it('is broken off at its horizon', () => {
    const strategy = erased(retryAfterAlone());
    const setting = settingOf({ rate: { limit: 5, windowMs: 1_000 }, jobs: 500, horizonMs: 10_000 });
    const { makespanMs, admitted, lostJobs } = simulate(setting, strategy, drawn(1));
    expect(makespanMs).toBe(Number.POSITIVE_INFINITY);
    expect(admitted).toBeLessThanOrEqual(55);
    expect(admitted + lostJobs).toBe(500);
  });
});
