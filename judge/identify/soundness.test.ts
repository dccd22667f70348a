import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { subWindowLog } from '../../limiters/sub-window-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { countingAll, explainCountingBuckets } from './counting-bucket-fit.ts';
import { fitFirstRequest } from './first-request-fit.ts';
import type { Fit } from './fit.ts';
import type { ExplainedLimit } from './grid.ts';
import { fitLog } from './log-fit.ts';
import { type Observations, observe } from './observations.ts';
import { type Admits, histories, inTurn, played } from './testing/played.ts';
import { fitBuckets } from './token-fit.ts';
import { explainTwoBuckets } from './two-bucket-fit.ts';

const limit = 6;
const windowMs = 10_000;
const rate = { limit, windowMs };

type History = { readonly sending: readonly number[]; readonly latenciesMs: readonly number[] };

const late = (places: Readonly<Record<number, number>>): readonly number[] =>
  Array.from({ length: 50 }, (_, at) => places[at] ?? 1);

const times = (ms: number, count: number): readonly number[] => Array.from({ length: count }, () => ms);

/** A request sent in the first window begins the second, while others on their way may have. */
const aLateBeginning: History = {
  sending: [
    ...times(0, 5),
    ...[1_878, 1_878, 4_372, 4_372, 5_131, 5_131],
    ...[...times(5_357, 8), ...times(7_513, 3), ...times(8_444, 7)],
    ...[9_798, 9_973, 11_777, 11_814, 15_621, 19_200, 19_200],
  ],
  latenciesMs: late({ 25: 2_382, 31: 751, 32: 203, 33: 28 }),
};

/** One window may have begun at two moments with a pause between them, and then another after either. */
const twoBeginnings: History = {
  sending: [
    ...times(0, 4),
    ...times(2_253, 9),
    ...[...times(5_200, 7), ...times(6_497, 7), ...times(9_115, 6)],
    ...[9_987, 10_617, 11_691, 14_801, 16_725, 17_358, ...times(19_121, 4)],
  ],
  latenciesMs: late({ 23: 2_647, 25: 2_819, 33: 1_791, 34: 14, 35: 14 }),
};

type Case = readonly [name: string, admits: () => Admits, explain: (seen: Observations) => Fit];

const admitsBy = (limiter: Parameters<typeof openWindow>[0]) => (): Admits => {
  const window = openWindow(limiter);
  return (nowMs) => window.decide(nowMs).admitted;
};

const logs = (counts: 'admitted' | 'all', subWindowMs: number | null) => (seen: Observations) =>
  fitLog(
    seen,
    { limit, counts, subWindow: subWindowMs === null ? null : { lengthMs: subWindowMs, phaseMs: 0 } },
    {},
  );

const cases: readonly Case[] = [
  ['a sliding log', admitsBy(slidingLog(rate) as never), logs('admitted', null)],
  ['a log of all requests', admitsBy(slidingLogCountingRejections(rate) as never), logs('all', null)],
  [
    'a log in sub-windows',
    admitsBy(subWindowLog(rate, { subWindowMs: 2_000 }) as never),
    logs('admitted', 2_000),
  ],
  [
    'a log in sub-windows that began at one of some moments',
    admitsBy(subWindowLog(rate, { subWindowMs: 2_000 }) as never),
    (seen) =>
      fitLog(
        seen,
        { limit, counts: 'admitted', subWindow: { lengthMs: 2_000, phaseMs: 1_700, uncertainMs: 600 } },
        {},
      ),
  ],
];

it.each(cases)(
  '%s is never contradicted, whatever the network does, and its window is in the interval',
  (_, admits, explain) => {
    fc.assert(
      fc.property(histories, ({ sending, latenciesMs }) => {
        const latencyMs = inTurn(latenciesMs);
        const found = explain(observe(played(admits(), sending, { latencyMs })));
        expect(found.contradictedBy).toEqual([]);
        expect(found.window.lowMs).toBeLessThanOrEqual(windowMs + 1);
        expect(found.window.highMs).toBeGreaterThanOrEqual(windowMs - 1);
      }),
      { numRuns: 400, seed: 17 },
    );
  },
);

it('a window from the first request is never contradicted, whatever the network does', () => {
  const window = admitsBy(fixedWindowFirstRequest(rate) as never);
  const found = ({ sending, latenciesMs }: History): Fit =>
    fitFirstRequest(observe(played(window(), sending, { latencyMs: inTurn(latenciesMs) })), {});
  expect(found(aLateBeginning).contradictedBy).toEqual([]);
  expect(found(twoBeginnings).contradictedBy).toEqual([]);
  fc.assert(
    fc.property(histories, (history) => {
      expect(found(history).contradictedBy).toEqual([]);
    }),
    { numRuns: 2_000, seed: 17 },
  );
});

it('a token bucket is never contradicted, whatever the network does', () => {
  fc.assert(
    fc.property(histories, ({ sending, latenciesMs }) => {
      const latencyMs = inTurn(latenciesMs);
      const trace = played(admitsBy(tokenBucket(rate) as never)(), sending, { latencyMs });
      const seen = observe(trace);
      const [bucket] = fitBuckets(seen, limit, {});
      expect(bucket?.contradictedBy).toEqual([]);
    }),
    { numRuns: 400, seed: 17 },
  );
});

type Counter = Parameters<typeof twoBucket>[1];
type Explains = (seen: Observations, question: Parameters<typeof explainTwoBuckets>[1]) => ExplainedLimit;

const counters: readonly (readonly [name: string, Counter, Explains])[] = [
  ['a two-bucket counter', { rounding: 'down' }, explainTwoBuckets],
  ['one that rounds to the nearest', { rounding: 'nearest' }, explainTwoBuckets],
  ['one that rounds up', { rounding: 'up' }, explainTwoBuckets],
  [
    'one that counts rejections',
    { counts: 'all' },
    (seen, question) => explainCountingBuckets(countingAll(seen), question),
  ],
];

it.each(counters)('%s is never contradicted, whatever the network does', (_, settings, explain) => {
  fc.assert(
    fc.property(histories, ({ sending, latenciesMs }) => {
      const limiter = twoBucket(rate, settings) as never;
      const seen = observe(played(admitsBy(limiter)(), sending, { latencyMs: inTurn(latenciesMs) }));
      const grid = { boundaryMs: windowMs - (seen.originMs % windowMs), windowMs };
      expect(explain(seen, { grid, limit, giveUpAt: 100 }).contradictedBy).toEqual([]);
    }),
    { numRuns: 1_000, seed: 17 },
  );
});
