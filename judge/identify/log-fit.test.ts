import { describe, expect, it } from 'vitest';
import type { Hints } from './fit.ts';
import { explainingLog, fitLog, type LogModel, logModels, ownPhaseLogs } from './log-fit.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { admitted, limited, refused, unanswered } from './testing/observed.ts';

const infinite = Number.POSITIVE_INFINITY;

const exact: LogModel = { limit: 2, counts: 'admitted', subWindow: null };
const counting: LogModel = { ...exact, counts: 'all' };
const inSubWindows = (lengthMs: number, phaseMs = 0): LogModel => ({
  ...exact,
  subWindow: { lengthMs, phaseMs },
});

const fitted = (model: LogModel, trace: readonly ObservedRequest[], hints: Hints = {}) =>
  fitLog(observe(trace), model, hints);
const windowOf = (model: LogModel, trace: readonly ObservedRequest[]) => {
  const { window, contradictedBy } = fitted(model, trace);
  return [window.lowMs, window.highMs, contradictedBy];
};

// All times are since the first request, which may have been decided a millisecond before 0.
describe('a log of two admitted requests', () => {
  it.each([
    [
      'is longer than from the first to a refusal',
      [admitted(0), admitted(1_000), limited(9_000)],
      [8_999, infinite, []],
    ],
    [
      'is shorter than from the first to an admission after two',
      [admitted(0), admitted(1_000), limited(9_000), admitted(10_000)],
      [8_999, 10_001, []],
    ],
    [
      'is as long as slow answers leave open',
      [admitted(0, 50), admitted(1_000), limited(9_000, 9_090), admitted(10_000, 10_700)],
      [8_949, 10_701, []],
    ],
    [
      'may hold what was sent before the refusal was answered',
      [admitted(0), limited(9_000, 9_500), admitted(9_500, 9_900)],
      [8_999, infinite, []],
    ],
    [
      'is contradicted by a refusal that one alone came before',
      [admitted(0), limited(9_000)],
      [0, infinite, [1]],
    ],
    ['may hold what was neither', [admitted(0), refused(1_000), limited(9_000)], [8_999, infinite, []]],
    [
      'may hold what has no answer, for ever',
      [admitted(0), unanswered(1_000), limited(90_000)],
      [89_999, infinite, []],
    ],
    [
      'never surely held what was neither',
      [admitted(0), refused(1_000), limited(9_000), admitted(9_500)],
      [8_999, infinite, []],
    ],
    [
      'holds none that was refused',
      [admitted(0), admitted(1_000), limited(9_000), admitted(10_000), limited(10_500), admitted(11_100)],
      [9_499, 10_001, []],
    ],
  ])('%s', (_, trace, expected) => {
    expect(windowOf(exact, trace)).toEqual(expected);
  });

  it('is named by its likeliest length, and weighs as much as that and its limit do', () => {
    const trace = [admitted(0), admitted(1_000), limited(9_900), admitted(10_100)];
    const window = { lowMs: 9_899, highMs: 10_101 };
    expect(fitted(exact, trace)).toEqual({
      algorithm: 'sliding-log',
      limit: 2,
      window,
      lengthMs: 10_000,
      rejectionsCount: false,
      contradictedBy: [],
      plausibility: windowPlausibility(window, {}) * limitPlausibility(2, {}),
    });
    expect(fitted(exact, trace, { limit: 2, windowMs: 10_050 })).toMatchObject({
      lengthMs: 10_050,
      plausibility: windowPlausibility(window, { windowMs: 10_050 }) * 0.5,
    });
  });
});

describe('a log of two requests of any kind', () => {
  it('is shorter than the quiet before an admission', () => {
    const trace = [admitted(0), admitted(1_000), limited(4_000), limited(9_000), admitted(14_500)];
    // The second last before it came at 4 s; at 9 s the second last had come at 1 s.
    expect(windowOf(counting, trace)).toEqual([7_999, 10_501, []]);
    expect(fitted(counting, trace)).toMatchObject({
      algorithm: 'sliding-log-counting-rejections',
      rejectionsCount: true,
    });
  });

  it('is contradicted by an admission that came too soon after two others', () => {
    const trace = [admitted(0), admitted(1_000), limited(9_000), limited(9_100), admitted(11_000)];
    expect(windowOf(counting, trace)).toEqual([8_999, 11_001, [4]]);
    expect(windowOf(exact, trace)).toEqual([9_099, 11_001, []]);
  });

  it('is not contradicted by what had no answer by then', () => {
    const late = [admitted(0), admitted(1_000), limited(9_000), limited(10_000, 12_000), admitted(11_000)];
    expect(windowOf(counting, late)[1]).toBe(10_001);
    const same = [...late.slice(0, 3), limited(10_000, 11_000), admitted(11_000)];
    expect(windowOf(counting, same)[1]).toBe(10_001);
    expect(windowOf(counting, [...late.slice(0, 3), refused(10_000), admitted(11_000)])[1]).toBe(10_001);
  });

  it('may have counted a slow rejection as late as another one was slow', () => {
    const trace = [
      admitted(0),
      admitted(1_000),
      limited(2_000, 2_500),
      limited(3_000),
      limited(9_000, 9_100),
    ];
    // Either of the first two may have been decided by 3.001 s, if the slowest took half a second.
    expect(windowOf(counting, trace)).toEqual([5_998, infinite, []]);
  });

  it('may have decided requests on their way together in any order', () => {
    // Either refusal may have been the first, at any moment of both.
    const trace = [admitted(0), admitted(1_000), limited(5_000, 8_000), limited(6_000, 7_000)];
    expect(windowOf(counting, trace)).toEqual([4_999, infinite, []]);
    const apart = [admitted(0), admitted(1_000), limited(5_000, 6_000), limited(7_000, 8_000)];
    expect(windowOf(counting, apart)).toEqual([5_999, infinite, []]);
  });
});

it('two refusals on their way together may have been decided in any order', () => {
  const trace = [admitted(0), admitted(1_000), limited(5_000, 8_000), limited(6_000, 7_000)];
  expect(windowOf(exact, trace)).toEqual([5_999, infinite, []]);
  // Where they do not count, each comes when it was sent, whatever was answered before it.
  expect(windowOf(exact, [...trace, admitted(7_500)])).toEqual([5_999, 7_501, []]);
});

describe('a log in sub-windows', () => {
  // A quarter of a second after a whole one.
  const at = 1_760_000_000_250;
  const trace = (lastRefusedMs: number, againMs: number) =>
    [admitted(0), admitted(900), limited(lastRefusedMs), admitted(againMs)].map((one) => ({
      ...one,
      sentMs: at + one.sentMs,
      receivedMs: at + (one.receivedMs ?? 0),
    }));

  it('holds each request until a window after the end of its sub-window', () => {
    // The first sub-window of a second ends 750 ms after the first request.
    expect(windowOf(inSubWindows(1_000), trace(10_700, 10_800))).toEqual([9_949, 10_050, []]);
    expect(windowOf(inSubWindows(1_000, 300), trace(10_000, 10_100))).toEqual([9_949, 10_050, []]);
    expect(windowOf(inSubWindows(2_000), trace(11_700, 11_800))).toEqual([9_949, 10_050, []]);
  });

  it('may hold it for as much longer or shorter as is not known of when they begin, and is seldom so', () => {
    const subWindow = { lengthMs: 1_000, phaseMs: 300, uncertainMs: 100 };
    const own: LogModel = { ...exact, subWindow };
    expect(windowOf(own, trace(10_000, 10_100))).toEqual([9_849, 10_050, []]);
    const ten = windowPlausibility({ lowMs: 10_000, highMs: 10_000 }, {}) * limitPlausibility(2, {});
    const weight = (uncertainMs: number) =>
      fitted({ ...exact, subWindow: { ...subWindow, uncertainMs } }, trace(10_000, 10_100)).plausibility;
    expect(weight(100)).toBeCloseTo(0.04 * 0.3 * 0.1 * ten, 12);
    expect(weight(50)).toBeCloseTo(0.04 * 0.3 * 0.05 * ten, 12);
  });

  it('is a whole number of them', () => {
    const weight = (ms: number) =>
      windowPlausibility({ lowMs: ms, highMs: ms }, {}) * limitPlausibility(2, {});
    const found = fitted(inSubWindows(1_000), trace(9_700, 10_800));
    expect(found).toMatchObject({
      algorithm: 'sub-window-log',
      lengthMs: 10_000,
      granularityMs: 1_000,
      rejectionsCount: false,
      window: { lowMs: 8_949, highMs: 10_050 },
    });
    expect(found.plausibility).toBeCloseTo(0.04 * (weight(9_000) + weight(10_000)), 9);
  });

  it('may be off it by as much as clocks may be, and no further', () => {
    const isPossible = (lastRefusedMs: number) =>
      fitted(inSubWindows(1_000), trace(lastRefusedMs, lastRefusedMs + 2)).plausibility > 0;
    // The span is of three milliseconds, and ends 748 ms before that.
    expect([10_743, 10_744].map(isPossible)).toEqual([false, true]);
    expect([10_756, 10_757].map(isPossible)).toEqual([true, false]);
  });

  it('may be called longer by the one in progress', () => {
    const found = fitted(inSubWindows(1_000), trace(9_700, 9_800));
    expect(found).toMatchObject({ lengthMs: 10_000, window: { lowMs: 8_949, highMs: 10_050 } });
    const ten = windowPlausibility({ lowMs: 10_000, highMs: 10_000 }, {});
    expect(found.plausibility).toBeCloseTo(0.04 * 0.5 * ten * limitPlausibility(2, {}), 9);
  });

  it('is hardly ever one of other sub-windows than seconds', () => {
    const ten = windowPlausibility({ lowMs: 10_000, highMs: 10_000 }, {});
    const found = fitted(inSubWindows(5_000), trace(14_700, 14_800));
    // The first ends after 4.75 s: the two are 9.95 to 10.05 s.
    expect(found.lengthMs).toBe(10_000);
    expect(found.plausibility).toBeCloseTo(0.02 * ten * limitPlausibility(2, {}), 9);
  });

  it('is none where no whole number of them fits; one beside that in progress makes two', () => {
    expect(fitted(inSubWindows(1_000), trace(9_900, 10_600))).toMatchObject({
      plausibility: 0,
      lengthMs: 9_499.5,
    });
    const pair = fitted(inSubWindows(10_000), trace(19_700, 19_800));
    expect(pair.lengthMs).toBe(20_000);
    expect(pair.plausibility).toBeGreaterThan(0);
  });

  it('is often one of halves of a second, of up to five', () => {
    const one = windowPlausibility({ lowMs: 1_000, highMs: 1_000 }, {});
    const [origin, half] = [[admitted(0), admitted(10)], inSubWindows(500)];
    const returning = (refusedMs: number, admittedMs: number) =>
      fitted(half, [...origin, limited(refusedMs), admitted(admittedMs)]);
    // Those of the first half second leave half a second after its end, where it is one of the two.
    const found = returning(900, 1_600);
    expect(found.lengthMs).toBe(1_000);
    expect(found.plausibility).toBeGreaterThan(0.2 * 0.5 * one * limitPlausibility(2, {}));
    expect(returning(5_000, 5_300).plausibility).toBeGreaterThan(0);
    expect(returning(7_000, 7_300).plausibility).toBe(0);
    expect(
      fitted(inSubWindows(1_000), [...origin, limited(19_000), admitted(20_500)]).plausibility,
    ).toBeGreaterThan(0);
  });

  it('is a fifth as likely where rejected requests count', () => {
    const seen = [admitted(0), admitted(1_000), limited(9_700)];
    const all = fitted({ ...inSubWindows(1_000), counts: 'all' }, seen);
    expect(all.plausibility).toBeCloseTo(0.2 * fitted(inSubWindows(1_000), seen).plausibility, 12);
    expect(all.plausibility).toBeGreaterThan(0);
  });

  it('is of no more than an hour of seconds', () => {
    const found = fitted(inSubWindows(1_000), trace(3_590_000, 0).slice(0, 3));
    expect(found.window.highMs).toBe(infinite);
    expect(found.lengthMs).toBeLessThanOrEqual(3_600_000);
    expect(fitted(inSubWindows(1_000), trace(3_610_000, 0).slice(0, 3)).plausibility).toBe(0);
  });
});

it('each limit may be that of a log of either kind, or of one in sub-windows of a usual length', () => {
  const models = logModels(7);
  expect(models.every(({ limit }) => limit === 7)).toBe(true);
  expect(models.map(({ counts, subWindow }) => [counts, subWindow?.lengthMs ?? null]).slice(0, 3)).toEqual([
    ['admitted', null],
    ['all', null],
    ['admitted', 500],
  ]);
  expect(
    models.slice(2).every(({ counts, subWindow }) => counts === 'admitted' && subWindow?.phaseMs === 0),
  ).toBe(true);
});

it('logs in sub-windows that began by themselves begin when capacity came back, or seldom ones with the wall clock', () => {
  const seen = observe([admitted(0), limited(2_001), admitted(2_040)]);
  const models = ownPhaseLogs(seen, 7);
  expect(models.every(({ limit }) => limit === 7)).toBe(true);
  expect(new Set(models.map(({ counts }) => counts))).toEqual(new Set(['admitted', 'all']));
  const own = { phaseMs: seen.originMs + 1_985, uncertainMs: 70 };
  const found = models.map(({ subWindow }) => subWindow);
  expect(found).toContainEqual({ lengthMs: 1_000, ...own });
  expect(found).toContainEqual({ lengthMs: 4_500, ...own });
  expect(found).toContainEqual({ lengthMs: 4_500, phaseMs: 0 });
});

it('requests that were answered in another order than sent leave the log in their own', () => {
  const trace = [admitted(0, 3_000), admitted(500, 600), admitted(700, 2_000), limited(9_000)];
  // The third last that was counted, at the latest, was that of 0.6 s.
  expect(windowOf({ ...exact, limit: 3 }, trace)).toEqual([8_399, infinite, []]);
});

it('whatever was answered in another order than sent is counted, and is the oldest in its own', () => {
  const trace = [refused(0, 3_000), refused(500, 600), refused(700, 2_000), limited(9_000)];
  expect(windowOf(exact, trace)).toEqual([6_999, infinite, []]);
});

it('is given as the same log where only what explains is wanted, and as none where it is contradicted', () => {
  const kept = observe([admitted(0), admitted(1_000), limited(9_000), admitted(10_000)]);
  const broken = observe([admitted(0), limited(9_000)]);
  expect(explainingLog(kept, exact, {})).toEqual([fitLog(kept, exact, {})]);
  expect(explainingLog(broken, exact, {})).toEqual([]);
});
