import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWindow } from '../../limiters/limiter.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import type { Grid } from './grid.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { admitted, limited, refused, unanswered } from './testing/observed.ts';
import { histories, inTurn, played } from './testing/played.ts';
import {
  explainTwoBuckets,
  fitTwoBuckets,
  fitTwoBucketsEarly,
  lengthsFor,
  lengthsWithin,
  weighedAnswers,
} from './two-bucket-fit.ts';

/** The first request comes a second after the beginning of its window. */
const grid: Grid = { boundaryMs: 9_000, windowMs: 10_000 };

const contradictedBy = (
  trace: readonly ObservedRequest[],
  more: { limit?: number; giveUpAt?: number } = {},
) => explainTwoBuckets(observe(trace), { grid, limit: 4, giveUpAt: 100, ...more }).contradictedBy;

/** Four in the window that ends at 9 s: at 11.5 s they weigh 3, and at 14 s 2. */
const four = [admitted(0), admitted(0), admitted(0), admitted(0)];
const [three, two] = [four.slice(1), four.slice(2)];

it('looks at bursts in which something was surely admitted, and at no others', () => {
  const trace = [admitted(0), refused(1_000), admitted(2_000), unanswered(3_000)];
  const { decided, ms } = weighedAnswers(observe(trace), 4).admitted;
  expect([...decided]).toEqual([0, 1]);
  expect([...ms]).toEqual([0, 2_000]);
});

// A request may have been decided a millisecond before it was sent, and a counter may round to either side.
describe('a counter of four, which weighs the window before', () => {
  it.each([
    ['refuses while more than three weigh', [...four, limited(11_500)], []],
    ['does not refuse when no more than three do', [...four, limited(11_502)], [4]],
    ['admits one once fewer than four weigh', [...four, admitted(9_002)], []],
    ['admits a second one once fewer than three do', [...four, admitted(9_500), admitted(11_501)], []],
    ['and not before that', [...four, admitted(9_500), admitted(11_500)], [5]],
    ['refuses beside one of its own until two weigh', [...four, admitted(9_500), limited(14_000)], []],
    ['and not beyond that', [...four, admitted(9_500), limited(14_002)], [5]],
    ['refuses what is sent after four in one window', [...four, limited(500)], []],
    ['does not refuse the fourth', [...three, limited(500)], [3]],
    ['does not admit a fifth', [...four, admitted(500)], [4]],
    ['forgets what came two windows before', [...four, limited(19_500)], [4]],
    ['and admits four then', [...four, ...four.map(() => admitted(19_100))], []],
    [
      'admits three at once when less than two weigh',
      [...four, ...three.map(() => admitted(13_990, 14_001))],
      [],
    ],
    ['and not before that', [...four, ...three.map(() => admitted(13_990, 14_000))], [6]],
    ['may have counted what was neither', [...three, refused(1), limited(11_500)], []],
    ['never surely did', [...three, refused(1), admitted(500)], []],
    ['nor admitted it', [...four, admitted(500), refused(600)], [4]],
    [
      'may count for ever what has no answer',
      [admitted(0), ...four.map(() => unanswered(8_000)), limited(90_000)],
      [],
    ],
    ['but each of those once', [admitted(0), ...three.map(() => unanswered(8_000)), limited(90_000)], [4]],
    [
      'may have counted slow ones before the boundary',
      [...three, admitted(8_900, 9_100), limited(11_500)],
      [],
    ],
    ['or after it', [...three, admitted(8_900, 9_100), limited(12_300)], []],
    ['but each of them once', [...three, admitted(8_900, 9_100), limited(12_400)], [4]],
    [
      'may have refused one when it was sent, not when its answer came',
      [...four, limited(11_400, 18_000)],
      [],
    ],
    ['may have admitted one when its answer came', [...four, admitted(9_500), admitted(11_000, 11_501)], []],
    [
      'may have admitted a burst across its boundary',
      [admitted(0), ...three.map(() => admitted(8_900, 9_100)), admitted(9_200), admitted(9_300)],
      [],
    ],
  ])('%s', (_, trace, expected) => {
    expect(contradictedBy(trace)).toEqual(expected);
  });

  it('cannot have counted one request in two of its windows', () => {
    // A counter of five. It refused at 12 s: of the four on their way two at most had come before the boundary. It admitted
    // three more at 13.5 s: all four had; two more need two of them.
    const before = [admitted(0), ...four.map(() => admitted(8_900, 9_100))];
    const more = three.map(() => admitted(13_490, 13_500));
    expect(contradictedBy([...before, limited(12_000)], { limit: 5 })).toEqual([]);
    expect(contradictedBy([...before, ...more], { limit: 5 })).toEqual([]);
    expect(contradictedBy([...before, limited(12_000), ...more], { limit: 5 })).toEqual([5]);
    expect(contradictedBy([...before, limited(12_000), ...more.slice(1)], { limit: 5 })).toEqual([]);
  });

  it('says nothing of one window where it may have answered in either', () => {
    const before = [admitted(0), ...four.map(() => admitted(8_900, 9_100))];
    const more = three.map(() => admitted(13_490, 13_500));
    expect(contradictedBy([...before, limited(12_000, 19_100), ...more], { limit: 5 })).toEqual([]);
  });

  it.each([4_000, 10_000, 16_000])(
    'of %i ms is never contradicted, whatever the network does',
    (windowMs) => {
      fc.assert(
        fc.property(histories, fc.constantFrom('down', 'nearest', 'up'), (history, rounding) => {
          const window = openWindow(twoBucket({ limit: 6, windowMs }, { rounding }));
          const latencyMs = inTurn(history.latenciesMs);
          const seen = observe(
            played((nowMs) => window.decide(nowMs).admitted, history.sending, { latencyMs }),
          );
          const question = { grid: { boundaryMs: -seen.originMs, windowMs }, limit: 6, giveUpAt: 100 };
          expect(explainTwoBuckets(seen, question).contradictedBy).toEqual([]);
        }),
        { numRuns: 200, seed: 19 },
      );
    },
  );

  it('is given up once it explains too little', () => {
    const trace = [limited(0), limited(100), limited(200), ...four.map(() => admitted(300)), admitted(500)];
    expect(contradictedBy(trace)).toEqual([0, 1, 2, 7]);
    expect(contradictedBy(trace, { giveUpAt: 1 })).toEqual([0, 1]);
    expect(contradictedBy(trace, { giveUpAt: 2 })).toEqual([0, 1, 2]);
    expect(contradictedBy(trace, { giveUpAt: 3 })).toEqual([0, 1, 2, 7]);
    const admissions = [...four, admitted(100), admitted(200), admitted(300)];
    expect(contradictedBy(admissions)).toEqual([4, 5, 6]);
    expect(contradictedBy(admissions, { giveUpAt: 0 })).toEqual([4]);
    expect(contradictedBy([...two, limited(1), limited(2)], { limit: 3, giveUpAt: 0 })).toEqual([2]);
  });
});

/** Asked each 50 ms, a counter of four in 10 s, whose grid begins at the moment 0 of its clock. */
describe('a search for the grid', () => {
  const originMs = 1_760_000_040_000;
  // Those at 0 weigh 3 at 12.5 s; with one more, 2 at 15 s; with two, 1 at 17.5 s; with three, none at 20 s.
  const ladder = [
    ...[1_000, 1_001, 1_002, 1_003].map((ms) => admitted(ms, ms + 2)),
    limited(1_010, 1_012),
    ...[12_450, 14_950, 17_450, 19_950].flatMap((ms) => [limited(ms - 2, ms), admitted(ms + 52, ms + 54)]),
  ].map((one) => ({ ...one, sentMs: originMs + one.sentMs, receivedMs: originMs + (one.receivedMs ?? 0) }));

  it('finds it where the wall clock has it', () => {
    const fits = fitTwoBuckets(observe(ladder), [4], { windowMs: 10_000 });
    const [best] = fits.toSorted((left, right) => right.plausibility - left.plausibility);
    expect(best).toMatchObject({ algorithm: 'two-bucket', limit: 4, lengthMs: 10_000, contradictedBy: [] });
    // The first request was sent a second after the boundary of its window.
    expect(best?.boundary?.lowMs).toBeLessThanOrEqual(9_000);
    expect(best?.boundary?.highMs).toBeGreaterThanOrEqual(9_000);
  });

  it('finds it well before the first return, where nobody says how long a window is', () => {
    const fits = fitTwoBuckets(observe(ladder), [4], {}).filter((fit) => fit.contradictedBy.length === 0);
    expect(fits.map(({ lengthMs }) => lengthMs)).toContain(10_000);
    // A quarter of a window that is expected to be long goes back farther.
    const early = fitTwoBuckets(observe(ladder), [4], { windowMs: 60_000 });
    const earliest = Math.min(...early.map(({ boundary }) => boundary?.lowMs ?? 0));
    expect(earliest).toBeLessThan(5_000);
  });

  it('looks for no shares of one request', () => {
    expect(fitTwoBuckets(observe(ladder), [1], {})).toEqual([]);
    expect(fitTwoBucketsEarly(observe(ladder), [1], {})).toEqual([]);
  });

  it('finds nothing where nothing came back', () => {
    expect(fitTwoBuckets(observe(ladder.slice(0, 5)), [4], {})).toEqual([]);
  });
});

describe('what comes after the boundary', () => {
  const asked = (trace: readonly ObservedRequest[]) =>
    lengthsFor(observe(trace), { boundaryMs: 9_000, limit: 4 }, {});
  const demands = (atLeastMs: readonly number[], atMostMs: readonly number[]) => {
    const by = (ms: number) => ({ at: 0, ms });
    return lengthsWithin({ atLeast: atLeastMs.map(by), atMost: atMostMs.map(by) }, {});
  };

  it('asks for a length, by what is left of the window before', () => {
    // All four weigh when more than three do not: 2499 ms are a quarter of it, at most.
    expect(asked([...four, limited(11_500)])).toEqual(demands([2_499 * 4], []));
    // Of three that surely weigh one had to leave for the third: it came after a third of it, at least.
    const three = [10_000, 11_501, 13_000].map((ms) => admitted(ms));
    expect(asked([...four, ...three])).toEqual(demands([], [4_000 * 3]));
    // For the fourth, two of them.
    expect(asked([...four, ...three, admitted(14_000)])).toEqual(demands([], [12_000, (5_000 * 3) / 2]));
    // Beside two of its own they had to weigh no more than one does.
    expect(asked([...four, limited(11_500), ...three])).toEqual(demands([(2_499 * 4) / 3], [12_000]));
  });

  it('asks for nothing before it, nor later than the first window can have been', () => {
    expect(asked([...four, limited(500)])).toEqual(demands([], []));
    const seven = [...four, ...four.slice(1)];
    expect(asked(seven)).toEqual(demands([], []));
    expect(asked([...seven, admitted(9_000)])).toEqual(demands([], []));
    expect(asked([...four, limited(9_001)])).toEqual(demands([], []));
    expect(asked([...four, limited(18_002)])).toEqual(demands([9_001 * 4], []));
    expect(asked([...four, limited(18_003)])).toEqual(demands([], []));
    const three = (ms: number) => [admitted(10_000), admitted(11_501), admitted(ms)];
    expect(asked([...four, ...three(18_001)])).toEqual(demands([], [9_001 * 3]));
    expect(asked([...four, ...three(18_002)])).toEqual(demands([], []));
    expect(asked([...four.map(() => admitted(0)), admitted(8_900), admitted(8_990)])).toEqual(
      demands([], []),
    );
  });

  it('asks for nothing where too few had come', () => {
    expect(asked([...two, limited(11_500)])).toEqual(demands([], []));
    expect(asked([...three, limited(11_500)])).toEqual(demands([], []));
    expect(asked([...three, limited(9_001)])).toEqual(demands([], []));
    expect(asked([...three, admitted(11_500), limited(11_600)])).toEqual(demands([2_599 * 3], []));
    // The last of those that surely weigh need not have gone.
    expect(asked([...four, admitted(10_000), admitted(11_000)])).toEqual(demands([], []));
  });
});

describe('lengths that are looked at', () => {
  const asked = (atLeastMs: number, atMostMs: number) =>
    lengthsWithin({ atLeast: [{ at: 0, ms: atLeastMs }], atMost: [{ at: 1, ms: atMostMs }] }, {});

  it('are evenly spread by their ratios, each with half of its neighbours, and the usual ones by themselves', () => {
    const spans = asked(10_000, 40_960_000 / 1_000);
    const parts = spans.filter(({ lowMs, highMs }) => highMs > lowMs);
    expect(parts).toHaveLength(12);
    const ratio = 4.096 ** (1 / 12);
    for (const { lowMs, highMs } of parts) expect(highMs / lowMs).toBeCloseTo(ratio ** 2, 9);
    expect(parts[0]?.lowMs).toBeCloseTo(10_000 / Math.sqrt(ratio), 6);
    expect(parts.at(-1)?.highMs).toBeCloseTo(40_960 * Math.sqrt(ratio), 6);
    expect(spans.slice(12)).toEqual(
      [10_000, 12_000, 15_000, 20_000, 30_000, 40_000].map((ms) => ({ lowMs: ms, highMs: ms })),
    );
  });

  it('are no shorter than about a second, and no longer than two hours', () => {
    const spans = asked(0, Number.POSITIVE_INFINITY);
    expect(Math.min(...spans.map(({ lowMs, highMs }) => (lowMs + highMs) / 2))).toBeGreaterThan(899);
    expect(Math.max(...spans.map(({ highMs }) => highMs))).toBeLessThan(2 * 7_200_000);
    expect(asked(1, 2)).toEqual([]);
    expect(asked(10_000, 30_000)).toContainEqual({ lowMs: 30_000, highMs: 30_000 });
  });
});
