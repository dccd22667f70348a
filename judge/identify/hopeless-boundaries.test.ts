import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { type Limiter, openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { countedAnswers, countingAll, explainCountingBuckets } from './counting-bucket-fit.ts';
import type { Grid } from './grid.ts';
import { hopelessBoundaries } from './hopeless-boundaries.ts';
import { inWholeSeconds, type Observations, observe } from './observations.ts';
import { admitted, limited } from './testing/observed.ts';
import { type Decides, histories, inTurn, played } from './testing/played.ts';
import { explainTwoBuckets, weighedAnswers } from './two-bucket-fit.ts';

const limit = 6;
const windowMs = 10_000;
const rate = { limit, windowMs };

const by = <State>(limiter: Limiter<State>): Decides => {
  const window = openWindow(limiter);
  return (nowMs) => window.decide(nowMs);
};

const limiters: readonly (() => Decides)[] = [
  () => by(slidingLog(rate)),
  () => by(fixedWindow(rate)),
  () => by(tokenBucket(rate)),
  () => by(twoBucket(rate, { phaseMs: 3_000 })),
  () => by(twoBucket(rate, { counts: 'all' })),
];

/** How many answers contradict a counter, of those that count admitted requests, and of those that count all. */
const counters = [
  {
    hopeless: (seen: Observations) => hopelessBoundaries(weighedAnswers(seen, limit)),
    contradictions: (seen: Observations, grid: Grid) =>
      explainTwoBuckets(seen, { grid, limit, giveUpAt: Number.POSITIVE_INFINITY }).contradictedBy.length,
  },
  {
    hopeless: (seen: Observations) => hopelessBoundaries(countedAnswers(countingAll(seen), limit)),
    contradictions: (seen: Observations, grid: Grid) =>
      explainCountingBuckets(countingAll(seen), { grid, limit, giveUpAt: Number.POSITIVE_INFINITY })
        .contradictedBy.length,
  },
] as const;

/** Fills a window at once, asks while it is full, and fills it again when all have left: most counters are contradicted. */
const probes = fc.record({
  sending: fc.array(fc.integer({ min: 100, max: 25_000 }), { minLength: 10, maxLength: 25 }).map((asked) =>
    [0, windowMs + 100, 2 * windowMs + 200]
      .flatMap((ms) => Array<number>(limit).fill(ms))
      .concat(asked)
      .toSorted((left, right) => left - right),
  ),
  latenciesMs: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
});

it.each(counters)('rules out no boundary with which some length is contradicted less', (counter) => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  let ruledOut = 0;
  fc.assert(
    fc.property(
      fc.oneof(histories, probes),
      fc.record({
        limiter: fc.constantFrom(...limiters),
        isCoarse: fc.boolean(),
        giveUpAt: fc.constantFrom(0, 0, 0, 1, 2, 3),
        at: share,
        widthMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000 })),
        tried: fc.array(fc.tuple(share, share), { minLength: 60, maxLength: 60 }),
      }),
      ({ sending, latenciesMs }, { limiter, isCoarse, giveUpAt, at, widthMs, tried }) => {
        const exact = observe(played(limiter(), sending, { latencyMs: inTurn(latenciesMs) }));
        const seen = isCoarse ? inWholeSeconds(exact) : exact;
        const lowMs = at * seen.endMs;
        if (!counter.hopeless(seen)({ lowMs, highMs: lowMs + widthMs }, giveUpAt)) return;
        ruledOut += 1;
        for (const [along, length] of tried) {
          const grid = { boundaryMs: lowMs + along * widthMs, windowMs: 900 * 10 ** (2.5 * length) };
          expect(counter.contradictions(seen, grid)).toBeGreaterThan(giveUpAt);
        }
      },
    ),
    { numRuns: 400 },
  );
  expect(ruledOut).toBeGreaterThan(5);
});

/** A log of three in ten seconds: filled at once, empty until they leave it, filled again. */
const log = observe([
  ...[0, 0, 0].map((ms) => admitted(ms, ms + 20)),
  ...[200, 5_000, 9_000, 9_900].map((ms) => limited(ms, ms + 20)),
  ...[10_100, 10_150, 10_200].map((ms) => admitted(ms, ms + 20)),
  ...[10_300, 10_400, 15_000, 19_900].map((ms) => limited(ms, ms + 20)),
]);

it.each([
  { name: 'all that were tried for a log', boundary: { lowMs: 2_000, highMs: 2_100 }, giveUpAt: 0, is: true },
  { name: 'and in wide spans', boundary: { lowMs: 1_000, highMs: 4_000 }, giveUpAt: 0, is: true },
  {
    name: 'but none with so many contradictions',
    boundary: { lowMs: 2_000, highMs: 2_100 },
    giveUpAt: 9,
    is: false,
  },
])('rules out boundaries: $name', ({ boundary, giveUpAt, is }) => {
  expect(hopelessBoundaries(weighedAnswers(log, 3))(boundary, giveUpAt)).toBe(is);
});
