import { describe, expect, it } from 'vitest';
import { fitBlocks } from './extend-fit.ts';
import type { Fit, Hints } from './fit.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { admitted, limited, refused } from './testing/observed.ts';

const infinite = Number.POSITIVE_INFINITY;

const fitted = (limit: number, trace: readonly ObservedRequest[], hints: Hints = {}) => {
  const [prolonged, oneFree, fixed] = fitBlocks(observe(trace), limit, hints) as [Fit, Fit, Fit];
  return { prolonged, oneFree, fixed };
};
const windowOf = ({ window, contradictedBy }: Fit) => [window.lowMs, window.highMs, contradictedBy];

/** Two requests fill a window: a third is refused. */
const filled = [admitted(0), admitted(1_000), limited(2_000)];

// A request may have been decided a millisecond before it was sent.
describe('a block that each rejection prolongs', () => {
  it.each([
    ['lasts from a rejection to the next one', [...filled, limited(8_000)], [5_999, infinite, []]],
    [
      'is over when something is admitted',
      [...filled, limited(8_000), admitted(19_000)],
      [5_999, 11_001, []],
    ],
    [
      'begins with any request of the full window',
      [admitted(0), admitted(9_000), limited(9_500), admitted(30_000)],
      [9_499, 20_501, []],
    ],
    [
      'begins with the very first one where no second one can be as long as the first',
      [admitted(0), refused(500), admitted(1_000), limited(1_002)],
      [1_001, infinite, []],
    ],
    [
      'may have begun with the second one where that can be as long',
      [admitted(0), refused(500), admitted(1_000), limited(1_001)],
      [500, infinite, []],
    ],
    ['needs a full window', [admitted(0), limited(2_000)], [0, infinite, [1]]],
    [
      'may be of a window that was filled by what was neither',
      [admitted(0), refused(1), limited(2_000)],
      [1_999, infinite, []],
    ],
    [
      'begins anew with each window, which is as short as the first',
      [...filled, admitted(13_000), admitted(14_000), limited(16_000), admitted(29_000)],
      [2_999, 11_001, []],
    ],
    [
      'has windows that need to be full too',
      [...filled, admitted(13_000), limited(16_000)],
      [1_999, 11_001, [4]],
    ],
    [
      'may have been over before a slow answer came',
      [...filled, limited(8_000, 12_000), admitted(11_500, 19_000)],
      [5_999, infinite, []],
    ],
    [
      'may have begun before what looks like the first request of a window',
      [...filled, admitted(13_000, 13_900), limited(13_500), admitted(30_000)],
      [1_999, 11_901, []],
    ],
    [
      'is then prolonged by the first that surely came after it',
      [
        ...filled,
        admitted(13_000, 13_900),
        admitted(13_950),
        limited(13_500),
        limited(14_000),
        admitted(25_000),
      ],
      [1_999, 11_001, []],
    ],
    [
      'may have begun at the very moment at which the window did',
      [...filled, admitted(13_000, 13_500), limited(13_501)],
      [1_999, 11_501, []],
    ],
    ['cannot have begun before the very first request', [admitted(0, 500), limited(300)], [0, infinite, [1]]],
    [
      'may not have been over when a request was sent as the rejection was answered',
      [...filled, limited(8_000), admitted(8_001)],
      [5_999, infinite, []],
    ],
    [
      'may hold what came with the rejection',
      [admitted(0), admitted(1_000), admitted(9_000), limited(9_001)],
      [9_000, infinite, []],
    ],
    [
      'was over once more were admitted than a window holds',
      [admitted(0), admitted(1_000), admitted(9_000), limited(9_500)],
      [0, 9_001, [3]],
    ],
    [
      'may have begun with a second window, where the first one was over before it was full',
      [admitted(0), admitted(9_000), admitted(9_100), limited(9_500)],
      [499, 9_101, []],
    ],
    [
      'may have begun so after an earlier block too',
      [...filled, admitted(13_000), admitted(24_000), admitted(24_100), limited(24_500)],
      [1_999, 11_001, []],
    ],
  ])('%s', (_, trace, expected) => {
    expect(windowOf(fitted(2, trace).prolonged)).toEqual(expected);
  });

  it('is as plausible as it is usual, and its limit and length are', () => {
    const window = { lowMs: 5_999, highMs: 11_001 };
    expect(fitted(2, [...filled, limited(8_000), admitted(19_000)]).prolonged).toEqual({
      algorithm: 'extend-on-reject',
      limit: 2,
      window,
      lengthMs: 10_000,
      rejectionsCount: true,
      contradictedBy: [],
      plausibility: 0.5 * windowPlausibility(window, {}) * limitPlausibility(2, {}),
    });
  });
});

describe('a block whose very first request does not count', () => {
  const again = [admitted(13_000), admitted(14_000), limited(15_000)];

  it('lets one more pass in the first window than in any other', () => {
    const trace = [admitted(0), admitted(10), admitted(20), limited(2_000), ...again];
    const { prolonged, oneFree } = fitted(3, trace);
    expect(windowOf(prolonged)).toEqual([1_999, 11_001, [6]]);
    expect(windowOf(oneFree)).toEqual([1_999, 11_001, []]);
  });

  it('counts in the first window like any other', () => {
    const { prolonged, oneFree } = fitted(3, [admitted(0), admitted(10), limited(2_000)]);
    expect([prolonged, oneFree].map(({ contradictedBy }) => contradictedBy)).toEqual([[2], [2]]);
  });

  it('has a limit of two or more: with one, nothing would pass in any later window', () => {
    expect(fitBlocks(observe(filled), 1, {}).map(({ algorithm }) => algorithm)).toEqual([
      'extend-on-reject',
      'block-on-reject',
    ]);
  });

  it('is named by the likelier limit', () => {
    const { oneFree } = fitted(3, [...filled]);
    expect(oneFree.limit).toBe(2);
    expect(fitted(3, filled, { limit: 3 }).oneFree.limit).toBe(3);
    expect(fitted(3, filled).prolonged.limit).toBe(3);
    expect(fitted(14, filled).oneFree.limit).toBe(14);
  });

  it('is a fifth as plausible', () => {
    const trace = [admitted(0), admitted(900), limited(2_000)];
    const { prolonged, oneFree } = fitted(2, trace, { limit: 2 });
    expect(oneFree.plausibility).toBeCloseTo(prolonged.plausibility / 5, 12);
  });
});

describe('a block that only the first rejection begins', () => {
  it('is not prolonged by those within it', () => {
    const { fixed } = fitted(2, [...filled, limited(8_000), admitted(12_500)]);
    expect(windowOf(fixed)).toEqual([5_999, 10_501, []]);
    expect(fixed).toMatchObject({ algorithm: 'block-on-reject', rejectionsCount: false, lengthMs: 10_000 });
    expect(fixed.plausibility).toBeCloseTo(
      0.3 * windowPlausibility(fixed.window, {}) * limitPlausibility(2, {}),
      12,
    );
  });

  it('may have been over before a rejection that came while others filled the next window', () => {
    const next = [limited(10_990, 11_060), admitted(11_000, 11_010), admitted(11_000, 11_010)];
    const after = [limited(12_000), admitted(19_950, 19_990)];
    expect(windowOf(fitted(2, [...filled, ...next]).fixed)).toEqual([1_999, 9_011, []]);
    expect(windowOf(fitted(2, [...filled, ...next, ...after]).fixed)).toEqual([1_999, 9_001, []]);
  });

  it('may have begun before what looks like the first request of a window', () => {
    const next = [admitted(13_000, 13_900), admitted(13_000, 13_900), limited(13_500), limited(14_000)];
    expect(windowOf(fitted(2, [...filled, ...next, admitted(24_400)]).fixed)).toEqual([1_999, 10_901, []]);
  });

  it('lasts from the first rejection to another one that nothing on its way can have preceded', () => {
    const later = [admitted(100_000), admitted(101_000), limited(102_000), limited(108_000)];
    expect(windowOf(fitted(2, [admitted(0), ...later]).fixed)).toEqual([5_999, 101_001, []]);
  });

  it('may have been over before a rejection that comes within twice as long as what was on its way was answered', () => {
    // Both places were taken between -1 and 10 ms, and so the block can be over 11 ms later.
    const burst = (refusedMs: number) => [admitted(0, 10), admitted(0, 10), limited(0, refusedMs)];
    const again = (ms: number, refusedMs = 10) => {
      const { fixed, prolonged } = fitted(2, [...burst(refusedMs), limited(ms)]);
      return [windowOf(fixed), windowOf(prolonged)];
    };
    const none = [0, infinite, []];
    expect(again(25)).toEqual([none, none]);
    expect(again(32)).toEqual([none, none]);
    const sure = [22, infinite, []];
    expect(again(33)).toEqual([sure, sure]);
    // Or after another rejection that may have come in the next block.
    expect(again(60, 40)).toEqual([none, none]);
  });

  it('is not begun by a rejection of the block before', () => {
    const slow = [admitted(0), admitted(1_000), limited(2_000, 9_000), limited(3_000)];
    const next = [admitted(30_000), admitted(30_010), limited(30_100), admitted(41_000)];
    expect(windowOf(fitted(2, [...slow, ...next]).fixed)).toEqual([1_999, 10_901, []]);
  });

  it('was not over before a rejection that came while too few others did', () => {
    const { fixed } = fitted(2, [...filled, limited(10_990, 11_060), admitted(11_000, 11_010)]);
    expect(windowOf(fixed)).toEqual([8_989, 9_011, []]);
  });

  it('is followed by a window that may hold what was on its way when it was seen to be over', () => {
    const blocked = [admitted(0), admitted(1_000), limited(2_000, 9_000)];
    const { fixed } = fitted(2, [...blocked, admitted(9_000, 11_900), admitted(12_000), limited(12_100)]);
    expect(windowOf(fixed)).toEqual([999, 10_001, []]);
  });
});
