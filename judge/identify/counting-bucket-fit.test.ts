import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWindow } from '../../limiters/limiter.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import {
  countingAll,
  explainCountingBuckets,
  fitCountingBuckets,
  lengthsFor,
  placesIn,
} from './counting-bucket-fit.ts';
import { inSteps, type ObservedRequest, observe } from './observations.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { admitted, limited, refused, unanswered } from './testing/observed.ts';
import { burst, histories, inTurn, played } from './testing/played.ts';
import { lengthsWithin } from './two-bucket-fit.ts';

/** The first request comes a second after the beginning of its window. */
const grid = { boundaryMs: 9_000, windowMs: 10_000 };

const contradictedBy = (
  trace: readonly ObservedRequest[],
  more: { limit?: number; giveUpAt?: number } = {},
) =>
  explainCountingBuckets(countingAll(observe(trace)), { grid, limit: 4, giveUpAt: 100, ...more })
    .contradictedBy;

/** Four in the window that ends at 9 s: at 11.5 s they weigh 3, and at 14 s 2. */
const four = [admitted(0), admitted(0), admitted(0), admitted(0)];
const three = four.slice(1);

// A request may have been decided a millisecond before it was sent, and a counter may round to either side.
describe('a counter of four requests of any kind, which weighs the window before', () => {
  it.each([
    ['refuses while more than three weigh', [...four, limited(11_500)], []],
    ['does not refuse when no more than three do', [...four, limited(11_502)], [4]],
    ['counts the rejections of the window before', [...four, limited(500), limited(13_000)], []],
    ['and refuses for no longer than these let it', [...four, limited(500), limited(13_002)], [5]],
    ['counts the rejections of its own window', [...four, limited(11_400), limited(13_900)], []],
    ['and refuses for no longer than those let it', [...four, limited(11_400), limited(14_002)], [5]],
    ['admits once fewer than four weigh', [...four, limited(500), admitted(11_001)], []],
    ['and not before that', [...four, limited(500), admitted(11_000)], [5]],
    [
      'admits late where it refused in this window',
      [...four, limited(11_400), limited(11_410), admitted(14_001)],
      [],
    ],
    ['and not before that', [...four, limited(11_400), limited(11_410), admitted(14_000)], [6]],
    ['does not refuse the fourth', [...three, limited(500)], [3]],
    ['does not admit a fifth', [...four, admitted(500)], [4]],
    ['forgets what came two windows before', [...four, limited(500), limited(19_500)], [5]],
    [
      'refuses the first of several on their way only once it is full',
      [
        ...three,
        limited(12_000, 12_050),
        limited(12_001, 12_051),
        limited(12_002, 12_052),
        limited(12_003, 12_053),
      ],
      [3],
    ],
    [
      'and not while it is one short of that',
      [admitted(9_500), admitted(9_500), admitted(9_500), limited(9_900, 9_950), limited(9_901, 9_951)],
      [3],
    ],
    [
      'whatever others found that were on their way at another time',
      [
        ...four,
        limited(500, 550),
        limited(501, 551),
        limited(15_500, 15_550),
        limited(15_501, 15_551),
        limited(15_502, 15_552),
      ],
      [6],
    ],
    [
      'as full as those on their way that were admitted may have made it',
      [...four, admitted(12_000, 12_050), limited(12_001, 12_051), limited(12_002, 12_052)],
      [],
    ],
    ['may have counted what was neither', [...three, refused(1), limited(11_500)], []],
    ['never surely did', [...three, refused(1), admitted(500)], []],
    [
      'may count for ever what has no answer',
      [...three.map(() => admitted(0)), unanswered(1), limited(500)],
      [],
    ],
    ['may have admitted one in the next window that was sent in this', [...four, admitted(8_900, 9_100)], []],
    ['though not before its answer', [...four, limited(500), admitted(8_900, 10_999)], [5]],
    [
      'may have counted slow ones before the boundary',
      [...three, admitted(8_900, 9_100), limited(11_500)],
      [],
    ],
    ['or after it', [...three, admitted(8_900, 9_100), limited(12_300)], []],
    ['but each of them once', [...three, admitted(8_900, 9_100), limited(12_400)], [4]],
  ])('%s', (_, trace, expected) => {
    expect(contradictedBy(trace)).toEqual(expected);
  });

  it('cannot have counted one request in two of its windows', () => {
    // A counter of five. It refused at 12 s: of the four on their way two at most had come before the boundary. After two
    // rejections it admitted one at 13.5 s: all four had. At 16 s it is enough that two had.
    const before = [admitted(0), ...four.map(() => admitted(8_900, 9_100)), limited(12_000), limited(12_100)];
    expect(contradictedBy(before, { limit: 5 })).toEqual([]);
    expect(contradictedBy([...before, admitted(13_500)], { limit: 5 })).toEqual([5]);
    expect(contradictedBy([...before, admitted(16_000)], { limit: 5 })).toEqual([]);
    // What may have been decided in either window says nothing of one of them.
    expect(contradictedBy([...before, admitted(13_500, 19_100)], { limit: 5 })).toEqual([]);
    const more = [12_200, 12_300, 12_400].map((ms) => limited(ms));
    expect(contradictedBy([...before, ...more, admitted(13_500, 24_000)], { limit: 5 })).toEqual([]);
  });

  it.each([4_000, 10_000, 16_000])(
    'of %i ms is never contradicted, whatever the network does',
    (windowMs) => {
      fc.assert(
        fc.property(histories, fc.constantFrom('down', 'nearest', 'up'), (history, rounding) => {
          const window = openWindow(twoBucket({ limit: 6, windowMs }, { rounding, counts: 'all' }));
          const latencyMs = inTurn(history.latenciesMs);
          const seen = observe(
            played((nowMs) => window.decide(nowMs).admitted, history.sending, { latencyMs }),
          );
          const question = { grid: { boundaryMs: -seen.originMs, windowMs }, limit: 6, giveUpAt: 100 };
          expect(explainCountingBuckets(countingAll(seen), question).contradictedBy).toEqual([]);
        }),
        { numRuns: 200, seed: 19 },
      );
    },
  );

  it('counts in the order of time on a clock of whole seconds', () => {
    // All in one second of its clock, one after another.
    const trace = [...four, admitted(100)];
    const asked = countingAll(inSteps(observe(trace), { stepMs: 1_000, phase: { lowMs: 0, highMs: 0 } }));
    expect(explainCountingBuckets(asked, { grid, limit: 4, giveUpAt: 100 }).contradictedBy).toEqual([4]);
    expect(explainCountingBuckets(asked, { grid, limit: 5, giveUpAt: 100 }).contradictedBy).toEqual([]);
  });

  it('is given up once it explains too little', () => {
    const trace = [limited(0), limited(100), limited(200), ...four.map(() => admitted(300)), admitted(500)];
    expect(contradictedBy(trace)).toEqual([0, 1, 2, 7]);
    expect(contradictedBy(trace, { giveUpAt: 1 })).toEqual([0, 1]);
    expect(contradictedBy(trace, { giveUpAt: 2 })).toEqual([0, 1, 2]);
    const admissions = [...four, admitted(100), admitted(200), admitted(300)];
    expect(contradictedBy(admissions)).toEqual([5, 6]);
    expect(contradictedBy(admissions, { giveUpAt: 0 })).toEqual([5]);
  });
});

describe('what comes after the boundary', () => {
  const asked = (trace: readonly ObservedRequest[]) =>
    lengthsFor(countingAll(observe(trace)), { boundaryMs: 9_000, limit: 4 }, {});
  const demands = (atLeastMs: readonly number[], atMostMs: readonly number[]) => {
    const by = (ms: number) => ({ at: 0, ms });
    return lengthsWithin({ atLeast: atLeastMs.map(by), atMost: atMostMs.map(by) }, {});
  };

  it('asks for a length, by what is left of the window before', () => {
    // With itself five are one more than the limit: it came within a quarter of the four.
    expect(asked([...four, limited(11_500)])).toEqual(demands([2_499 * 4], []));
    // One of four that surely weigh had to leave for the second one.
    expect(asked([...four, admitted(10_000), admitted(13_000)])).toEqual(demands([], [4_000 * 4]));
    expect(asked([...four, limited(11_500), admitted(13_000)])).toEqual(demands([2_499 * 4], [4_000 * 4]));
    // Two of them, after two more.
    expect(asked([...four, limited(11_500), limited(12_000)])).toEqual(
      demands([2_499 * 4, (2_999 * 4) / 2], []),
    );
    const later = [10_000, 10_100, 14_000].map((ms) => admitted(ms));
    expect(asked([...four, ...later])).toEqual(demands([], [1_100 * 4, (5_000 * 4) / 2]));
    const sooner = [10_000, 13_000, 14_000].map((ms) => admitted(ms));
    expect(asked([...four, ...sooner])).toEqual(demands([], [4_000 * 4, (5_000 * 4) / 2]));
  });

  it('asks for nothing before it, nor later than the first window can have been', () => {
    expect(asked([...four, limited(500), admitted(600)])).toEqual(demands([], []));
    expect(asked([...four, limited(9_001)])).toEqual(demands([], []));
    expect(asked([...four, limited(18_002)])).toEqual(demands([9_001 * 4], []));
    expect(asked([...four, limited(18_003)])).toEqual(demands([], []));
    expect(asked([...four, admitted(10_000), admitted(18_001)])).toEqual(demands([], [9_001 * 4]));
    expect(asked([...four, admitted(10_000), admitted(18_002)])).toEqual(demands([], []));
  });

  it('asks for nothing where too few had come', () => {
    expect(asked([...three, limited(11_500)])).toEqual(demands([], []));
    expect(asked([...three, admitted(11_500)])).toEqual(demands([], []));
  });
});

describe('a search for its grid', () => {
  // Each question keeps it closed for longer: these are just late enough, or just too early.
  const probe = [0, ...burst(100, 6), 9_700, 11_300, 11_400, 16_000, 16_001, 16_002, 22_000];
  const trace = (() => {
    const window = openWindow(twoBucket({ limit: 4, windowMs: 10_000 }, { counts: 'all' }));
    return played((nowMs) => window.decide(nowMs).admitted, probe, { latencyMs: () => 1 });
  })();

  it('finds it, and that rejections count', () => {
    const fits = fitCountingBuckets(observe(trace), [4], { windowMs: 10_000 });
    const found = fits.filter((fit) => fit.contradictedBy.length === 0);
    expect(found.length).toBeGreaterThan(0);
    for (const fit of found) {
      expect(fit).toMatchObject({
        algorithm: 'two-bucket-counting-rejections',
        limit: 4,
        rejectionsCount: true,
      });
    }
    expect(found.map(({ lengthMs }) => lengthMs)).toContain(10_000);
  });

  it('finds it where nobody says how long a window is, a third as plausible as if it were an exact grid', () => {
    const fits = fitCountingBuckets(observe(trace), [4], {}).filter((fit) => fit.contradictedBy.length === 0);
    expect(fits.map(({ lengthMs }) => lengthMs)).toContain(10_000);
    const weight = windowPlausibility({ lowMs: 10_000, highMs: 10_000 }, {}) * limitPlausibility(4, {});
    expect(fits[0]?.plausibility).toBeCloseTo(0.3 * weight, 9);
  });

  it('looks for no shares of one request, and for nothing where nothing came back', () => {
    expect(fitCountingBuckets(observe(trace), [1], {})).toEqual([]);
    expect(fitCountingBuckets(observe(trace.slice(0, 5)), [4], {})).toEqual([]);
  });
});

describe('of several limits', () => {
  /** A counter of so many is asked until it refuses, once more, and again much later; an answer may be lost. */
  const asked = (limit: number, lostAt?: number) => {
    const window = openWindow(twoBucket({ limit, windowMs: 10_000 }, { counts: 'all' }));
    const sending = [0, ...burst(100, limit + 2), 9_700, 22_000];
    const trace = played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 });
    return observe(
      trace.map(
        (one, at): ObservedRequest =>
          at === lostAt ? { ...one, receivedMs: null, outcome: 'indeterminate' } : one,
      ),
    );
  };
  const found = (limits: readonly number[], hints: { limit?: number }, seen = asked(5, 2)) =>
    fitCountingBuckets(seen, limits, hints);
  const limitsIn = (fits: readonly { readonly limit: number }[]) => [
    ...new Set(fits.map(({ limit }) => limit)),
  ];

  it('those beside a likelier one that explains all are left out', () => {
    // Whether the lost one was counted nobody knows: any limit explains the others.
    expect(limitsIn(found([3, 4, 5, 7], {}))).toEqual([3, 5, 7]);
    expect(limitsIn(found([3, 4, 5, 7], { limit: 4 }))).toEqual([4, 7]);
    expect(limitsIn(found([3, 4], {}))).toEqual([3, 4]);
  });

  it('a likelier one is looked for closely around the boundary of the first that explains all', () => {
    const fits = found([7, 4, 8], { limit: 8 }, asked(4));
    const [first] = fits.filter(({ limit }) => limit === 4);
    expect(first).toMatchObject({ lengthMs: 10_000, boundary: { lowMs: 5_550, highMs: 10_550 } });
    const eight = fits.filter(({ limit }) => limit === 8);
    // Eight is likelier than seven, which is left all the same: it explains no more.
    expect(limitsIn(fits)).toEqual([7, 4, 8]);
    // Four requests either way, and the four that it has more: each is an eighth of 10 s.
    expect(eight).toHaveLength(6);
    expect(eight[5]?.boundary?.lowMs).toBeCloseTo(5_550 - 10_000, 6);
    expect(eight[5]?.boundary?.highMs).toBeCloseTo(10_550 + 10_000, 6);
  });

  it('none is looked for again that is no likelier, or explains all already', () => {
    const timesOf = (limit: number, fits: readonly { readonly limit: number }[]) =>
      fits.filter((one) => one.limit === limit).length;
    expect(timesOf(8, found([4, 8], { limit: 4 }, asked(4)))).toBe(3);
    expect(timesOf(7, found([4, 7], {}, asked(4)))).toBe(3);
    expect(timesOf(5, found([3, 5], {}))).toBe(3);
  });

  it('no boundary is tried before the first request', () => {
    expect(found([4], {}, asked(4)).at(-1)?.boundary?.lowMs).toBeCloseTo(-1, 6);
  });
});

it.each([
  ['a second apart', 30, 100],
  ['closer where the share of a request is smaller than that', 100, 209],
  ['so many at most', 300, 400],
] as const)('boundaries are tried %s', (_, limit, places) => {
  expect(placesIn({ lowMs: 10_000, highMs: 110_000 }, { limit, windowMs: 60_000 })).toBe(places);
  expect(placesIn({ lowMs: 10_000, highMs: 10_500 }, { limit, windowMs: 60_000 })).toBe(48);
});
