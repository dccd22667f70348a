import { describe, expect, it } from 'vitest';
import { explainFixedWindow, fitFixedWindows, fitKeptWindows } from './fixed-window-fit.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { admitted, limited, refused, unanswered } from './testing/observed.ts';

/** The first request comes a second after the beginning of its window. */
const grid = { boundaryMs: 9_000, windowMs: 10_000 };
const explained = (trace: readonly ObservedRequest[], giveUpAt = 100) => {
  const { limit, contradictedBy } = explainFixedWindow(observe(trace), grid, giveUpAt);
  return [limit, contradictedBy];
};

const three = [admitted(0), admitted(10), admitted(20)];
const later = (ms: number) => three.map((_, n) => admitted(ms + 10 * n));

// A request may have been decided a millisecond before it was sent.
describe('a counter that begins anew at each boundary', () => {
  it.each([
    ['holds as many as were admitted in one window', [...three, limited(500), ...later(9_100)], 3, []],
    ['holds the most of any', [...three, ...later(9_100), admitted(12_000)], 4, []],
    [
      'holds the most of the late ones too',
      [admitted(0), ...later(1_000), ...later(19_100), ...later(24_000)],
      6,
      [],
    ],
    ['holds one at least', [limited(0)], 1, [0]],
    [
      'holds no fewer than it did when it refused',
      [...three, limited(500), ...later(9_100), admitted(9_500)],
      4,
      [3],
    ],
    [
      'stays full until the boundary, whatever else it may have counted',
      [
        admitted(0),
        ...three.map(() => admitted(8_990, 9_040)),
        admitted(9_100),
        limited(9_200),
        admitted(9_300),
      ],
      2,
      [5],
    ],
    [
      'is no longer full after the boundary',
      [...three, limited(8_990), admitted(9_000), admitted(9_001)],
      3,
      [],
    ],
    [
      'may have admitted before what came with the refusal',
      [...three, limited(500, 600), admitted(600, 605), ...later(9_100), admitted(9_200)],
      4,
      [],
    ],
    ['does not refuse before it is full', [...three, admitted(9_100), limited(9_500)], 3, [4]],
    [
      'may be full of what was neither',
      [...three, admitted(9_100), refused(9_200), refused(9_300), limited(9_500)],
      3,
      [],
    ],
    [
      'may be full of what has no answer',
      [...three, unanswered(8_000), ...later(9_100).slice(1), limited(9_500)],
      3,
      [],
    ],
    [
      'may have refused one before the boundary that was answered after it',
      [...three, limited(8_900, 9_500)],
      3,
      [],
    ],
    ['may be full of what came with the refusal', [...three, limited(9_100, 9_300), ...later(9_200)], 3, []],
    ['but not of what was sent after its answer', [...three, limited(9_100, 9_150), ...later(9_200)], 3, [3]],
    [
      'may have counted slow ones on either side',
      [...three, ...three.map(() => admitted(8_990, 9_010)), limited(9_100)],
      3,
      [],
    ],
    [
      'counts a burst across the boundary in either',
      [admitted(0, 5), ...Array.from({ length: 12 }, (_, n) => admitted(8_950 + 10 * n, 8_958 + 10 * n))],
      6,
      [],
    ],
    [
      'holds the most of a burst before the boundary',
      [admitted(0, 5), ...Array.from({ length: 12 }, (_, n) => admitted(8_910 + 10 * n, 8_918 + 10 * n))],
      10,
      [],
    ],
    [
      'or after it',
      [admitted(0, 5), ...Array.from({ length: 12 }, (_, n) => admitted(8_970 + 10 * n, 8_978 + 10 * n))],
      8,
      [],
    ],
    [
      'holds what a burst alone in its window shows',
      [admitted(0), ...three.map(() => admitted(9_100))],
      3,
      [],
    ],
  ])('%s', (_, trace, limit, contradictedBy) => {
    expect(explained(trace)).toEqual([limit, contradictedBy]);
  });

  it('is given up once it explains too little', () => {
    const trace = [limited(0), limited(9_100), limited(19_100), ...later(29_100), limited(39_100)];
    expect(explained(trace)[1]).toEqual([0, 1, 2, 6]);
    expect(explained(trace, 0)[1]).toEqual([0]);
    expect(explained(trace, 2)[1]).toEqual([0, 1, 2]);
    expect(explained(trace, 3)[1]).toEqual([0, 1, 2, 6]);
    // Already by the limit of the first burst.
    const early = [...three, limited(9_100), limited(19_100), ...later(29_100), ...later(29_500)];
    expect(explained(early, 1)).toEqual([3, [3, 4]]);
    expect(explained(early, 2)).toEqual([6, [3, 4]]);
  });
});

/** Three in 10 s by the wall clock, asked often around its boundaries: the first request comes a second after one. */
const originMs = 1_760_000_041_000;
const atOrigin = (trace: readonly ObservedRequest[], shiftMs = 0) =>
  trace.map((one) => ({
    ...one,
    sentMs: originMs + shiftMs + one.sentMs,
    receivedMs: originMs + shiftMs + (one.receivedMs ?? 0),
  }));
/** Three a window, asked just before and after two boundaries: `boundaryMs` is the first of them. */
const probing = (boundaryMs: number) => [
  ...three,
  limited(30),
  limited(3_000),
  limited(6_000),
  limited(boundaryMs - 10),
  ...later(boundaryMs + 10),
  limited(boundaryMs + 40),
  limited(boundaryMs + 9_990),
  admitted(boundaryMs + 10_010),
];
const best = (trace: readonly ObservedRequest[], windowMs = 10_000) =>
  fitFixedWindows(observe(trace), { windowMs }).toSorted(
    (left, right) =>
      left.contradictedBy.length - right.contradictedBy.length || right.plausibility - left.plausibility,
  )[0];

describe('a search for the grid', () => {
  it('finds it on the wall clock, with the lengths that explain as much', () => {
    const found = best(atOrigin(probing(9_000)));
    expect(found).toMatchObject({
      algorithm: 'fixed-window-wall-clock',
      limit: 3,
      lengthMs: 10_000,
      contradictedBy: [],
    });
    expect(found?.window.lowMs).toBeLessThanOrEqual(10_000);
    expect(found?.window.highMs).toBeGreaterThanOrEqual(10_000);
  });

  it('finds another phase', () => {
    const found = best(atOrigin(probing(9_000), 3_333));
    expect(found).toMatchObject({ algorithm: 'fixed-window-phase', limit: 3, contradictedBy: [] });
    expect(found?.boundary?.lowMs).toBeGreaterThanOrEqual(8_989);
    expect(found?.boundary?.highMs).toBeLessThanOrEqual(19_010);
  });

  it('looks for a boundary where capacity came back within the shortest time', () => {
    const returning = (firstMs: number, secondMs: number) => [
      ...three,
      ...[30, 3_000, 9_000 - firstMs].map((ms) => limited(ms)),
      ...later(9_000 + firstMs),
      ...[9_500 + firstMs, 19_000 - secondMs].map((ms) => limited(ms)),
      ...later(19_000 + secondMs),
      limited(20_500),
    ];
    const boundaryOf = (trace: readonly ObservedRequest[]) =>
      fitFixedWindows(observe(atOrigin(trace, 3_333)), {}).findLast(
        ({ algorithm }) => algorithm === 'fixed-window-phase',
      )?.boundary;
    const first = boundaryOf(returning(5, 400));
    expect(first?.lowMs).toBeGreaterThan(8_900);
    expect(first?.highMs).toBeLessThan(9_100);
    const second = boundaryOf(returning(400, 5));
    expect(second?.lowMs).toBeGreaterThan(18_900);
    expect(second?.highMs).toBeLessThan(19_100);
  });

  it('finds nothing where nothing came back', () => {
    expect(fitFixedWindows(observe(three), {})).toEqual([]);
    expect(fitKeptWindows(observe(three), {})).toEqual([]);
  });
});

describe('a counter that is kept for whole seconds', () => {
  const kept = (trace: readonly ObservedRequest[]) =>
    fitKeptWindows(observe(atOrigin(trace, 1_000)), { windowMs: 10_000 });

  it('may end up to a second late', () => {
    const late = [
      ...three,
      limited(30),
      limited(3_000),
      limited(6_000),
      limited(8_500),
      ...later(8_700),
      limited(18_300),
      admitted(18_600),
    ];
    expect(kept(late)).toMatchObject([
      { algorithm: 'fixed-window-wall-clock', limit: 3, granularityMs: 1_000, contradictedBy: [] },
    ]);
  });

  it('is a twentieth as plausible as one that ends in time', () => {
    const inTime = best(atOrigin(probing(8_000), 1_000));
    const [found] = kept(probing(8_000));
    expect(found?.limit).toBe(inTime?.limit);
    expect((found?.plausibility ?? 0) / (inTime?.plausibility ?? 0)).toBeCloseTo(0.05, 2);
  });

  it('let no more through at once than two windows hold', () => {
    const atOnce = (count: number, ms: number) => Array.from({ length: count }, () => admitted(ms));
    const around = (count: number) => [
      ...atOnce(3, 0),
      ...[30, 3_000, 8_500].map((ms) => limited(ms)),
      ...atOnce(count, 8_700),
      ...[8_800, 17_500].map((ms) => limited(ms)),
      ...atOnce(3, 23_000),
      limited(23_100),
    ];
    expect(kept(around(6)).map(({ limit }) => limit)).toContain(3);
    expect(kept(around(8)).map(({ limit }) => limit)).not.toContain(3);
  });

  it('is longer than a few seconds', () => {
    const short = probing(9_000).map(({ sentMs, outcome }) => ({
      sentMs: sentMs / 5,
      receivedMs: sentMs / 5,
      outcome,
    }));
    expect(fitKeptWindows(observe(atOrigin(short)), { windowMs: 2_000 })).toEqual([]);
  });
});

it('a row in which far more passed than at first has a boundary in it, however wide the others are', () => {
  const inRow = (from: number, count: number, gapMs: number) =>
    Array.from({ length: count }, (_, at) => admitted(from + gapMs * at, from + gapMs * at + 2));
  // Ten in windows of a second that begin 25 ms after one of ours; asked every 1.07 s, once across a boundary.
  const asked = Array.from({ length: 30 }, (_, at) => 3_100 + 1_070 * at).filter(
    (ms) => (ms + 975) % 1_000 <= 960,
  );
  const trace = [
    admitted(0),
    ...asked.flatMap((ms) => [...inRow(ms, 10, 1), limited(ms + 20, ms + 22), limited(ms + 30, ms + 32)]),
    ...inRow(50_005, 20, 2),
    limited(50_050, 50_052),
  ];
  const found = fitFixedWindows(observe(trace), {}).filter(
    ({ contradictedBy }) => contradictedBy.length === 0,
  );
  expect(found.some(({ lengthMs, limit }) => lengthMs === 1_000 && limit === 10)).toBe(true);
});
