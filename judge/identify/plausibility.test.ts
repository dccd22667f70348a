import { describe, expect, it } from 'vitest';
import { bounds, windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import type { Hints } from './fit.ts';
import {
  likeliestMs,
  likeliestRate,
  limitPlausibility,
  ratePlausibility,
  windowPlausibility,
} from './plausibility.ts';

const infinite = Number.POSITIVE_INFINITY;
const seconds = (low: number, high: number) => ({ lowMs: low * 1_000, highMs: high * 1_000 });

describe('how plausible a length of window is', () => {
  /**
   * By hand. Lengths in use weigh 21 together, a minute 4 of them, 40 s a fifth of one. A whole second n weighs 1/n of
   * ln 3600 + γ, a tenth one 10/n of ln 360 + γ, and a span from a to b seconds ln b/a of ln 8000 and 1/50 more.
   */
  it.each([
    ['a minute', [60, 60], {}, 0.164_56],
    ['a minute, as expected', [60, 60], { windowMs: 60_000 }, 0.569_321],
    ['a minute, where another is expected', [60, 60], { windowMs: 44_000 }, 0.069_321],
    ['another usual one', [45, 45], {}, 0.040_578],
    ['a seldom one', [40, 40], {}, 0.012_077],
    ['an odd number of seconds', [44, 44], {}, 0.000_104],
    ['the same, as expected', [44, 44], { windowMs: 44_000 }, 0.500_104],
    ['the same by a slow clock', [44.018, 44.018], {}, 0.000_104],
    ['the same by a fast clock', [43.982, 43.982], {}, 0.000_104],
    ['a part of a second', [44.1, 44.9], {}, 0.000_02],
    ['less than a second', [0.1, 0.4], {}, 0.000_031],
    ['less than a second, or hardly', [0.1, 0.95], {}, 0.000_11],
    ['a few seconds', [43.5, 46.5], {}, 0.040_856],
    ['nineteen seconds', [100.5, 119.5], {}, 0.002_393],
    ['twenty seconds', [100.5, 120.5], {}, 0.044_206],
    ['twenty-one seconds', [100.5, 121.5], {}, 0.044_212],
    ['so many that their sum is a logarithm', [100.5, 130.5], {}, 0.045_811],
    ['an hour, or what is longer', [3_590, infinite], {}, 0.041_367],
    ['more than an hour', [5_000, 7_000], {}, 0.000_382],
    ['any', [0, infinite], {}, 0.988_704],
    ['too short for any', [0, 0.04], {}, 0],
    ['too long for any', [7_201, infinite], {}, 0],
    ['none', [45, 44], {}, 0],
  ])('%s', (_, [low = 0, high = 0], hints, weight) => {
    expect(windowPlausibility(seconds(low, high), hints)).toBeCloseTo(weight, 6);
  });
});

describe('the likeliest length', () => {
  it.each([
    ['the one that is expected', [20, 70], { windowMs: 25_000 }, 25],
    ['not one that is expected elsewhere', [20, 70], { windowMs: 75_000 }, 60],
    ['a minute', [20, 70], {}, 60],
    ['else the shortest usual one', [18, 50], {}, 20],
    ['else a seldom one', [38, 42], {}, 40],
    ['else the first whole second', [43.2, 44.8], {}, 44],
    ['else the middle', [43.2, 43.8], {}, 43.5],
    ['else the first whole second of a span without an end', [3_700.5, infinite], {}, 3_701],
  ])('is %s', (_, [low = 0, high = 0], hints, length) => {
    expect(likeliestMs(seconds(low, high), hints)).toBeCloseTo(length * 1_000, 6);
  });

  it('is longer than nothing, however short it may be', () => {
    expect(likeliestMs({ lowMs: 0, highMs: 244 }, {})).toBe(122);
    expect(likeliestMs({ lowMs: -1, highMs: 3 }, {})).toBe(1);
  });

  it('may be off by what the clocks may be, and no further', () => {
    const [mostMs, leastMs] = [windowMsAtMost(60_000), windowMsAtLeast(60_000)];
    expect(likeliestMs({ lowMs: mostMs, highMs: mostMs + 10 }, {})).toBe(60_000);
    expect(likeliestMs({ lowMs: leastMs - 10, highMs: leastMs }, {})).toBe(60_000);
    expect(likeliestMs({ lowMs: mostMs + 1, highMs: mostMs + 11 }, {})).toBe(mostMs + 6);
    expect(likeliestMs({ lowMs: leastMs - 11, highMs: leastMs - 1 }, {})).toBe(leastMs - 6);
  });
});

it.each([
  [0.5, [7], { limit: 7 }],
  [0.1, [100, 300, 60, 120, 10, 20, 30, 50], {}],
  [0.05, [1, 2, 5, 25, 75, 40, 70, 90, 125, 250], {}],
  [0.02, [110, 140, 290], {}],
  [0.001, [7, 31, 119, 7], { limit: 8 }],
])('a limit is as plausible as %d: %j', (weight, limits, hints) => {
  expect(limits.map((limit) => limitPlausibility(limit, hints))).toEqual(limits.map(() => weight));
});

/** Requests a second, where the code has them by the millisecond. */
const perSecond = (low: number, high: number): readonly [number, number] => [low / 1_000, high / 1_000];
const twoPerSecond: Hints = { limit: 120, windowMs: 60_000 };

describe('how plausible a rate is', () => {
  /** By hand: each of 19 rates in use weighs the same of 0.35, and a span from a to b ln b/a of ln 10⁸. */
  it.each([
    ['one in use', [2, 2], {}, 0.018_421],
    ['between two in use', [30, 40], {}, 0.000_156],
    ['a span with two of them', [0.9, 2.9], {}, 0.037_477],
    ['the same, where one is expected in it', [0.9, 2.9], twoPerSecond, 0.537_477],
    ['the same, where another is expected', [0.9, 2.9], { limit: 30, windowMs: 1_000 }, 0.037_477],
    ['the same, where nothing is known of the window', [0.9, 2.9], { limit: 120 }, 0.037_477],
    ['the same, where nothing is known of the limit', [0.9, 2.9], { windowMs: 60_000 }, 0.037_477],
    ['any', [0, infinite], {}, 0.36],
  ])('%s', (_, [low = 0, high = 0], hints, weight) => {
    expect(ratePlausibility(...perSecond(low, high), hints)).toBeCloseTo(weight, 6);
  });

  it('may be off by what the clocks may be, and no further', () => {
    const [slowest, fastest] = [(1 + bounds.clockRate) / 1_000, (1 - bounds.clockRate) / 1_000];
    expect(ratePlausibility(slowest, 0.0015, {})).toBeGreaterThan(0.013);
    expect(ratePlausibility(0.0006, fastest, {})).toBeGreaterThan(0.013);
    expect(ratePlausibility(...perSecond(1.000_39, 1.5), {})).toBeGreaterThan(0.013);
    expect(ratePlausibility(...perSecond(1.000_41, 1.5), {})).toBeLessThan(0.001);
    expect(ratePlausibility(...perSecond(0.6, 0.999_61), {})).toBeGreaterThan(0.013);
    expect(ratePlausibility(...perSecond(0.6, 0.999_59), {})).toBeLessThan(0.001);
  });
});

describe('the likeliest rate', () => {
  it.each([
    ['the one that is expected', [1.5, 60], twoPerSecond, 2],
    ['the expected one though another is in use', [0.9, 60], twoPerSecond, 2],
    ['the one in use that is nearest to what surely passes', [0.9, 60], { limit: 120 }, 1],
    ['the same without a limit', [0.9, 60], { windowMs: 60_000 }, 1],
    ['the same where another is expected', [0.9, 60], { limit: 100, windowMs: 1_000 }, 1],
    ['the one in use that is nearest, of several', [0.15, 0.6], {}, 1 / 6],
    ['the next one', [1.5, 60], {}, 2],
    ['without an end', [1, infinite], {}, 1],
    ['without a beginning', [0, 0.05], {}, 1 / 60],
    ['that of a round gap where none is in use', [0.59, 0.76], {}, 1 / 1.5],
    ['that of the roundest gap', [4, 4.2], {}, 1 / 0.25],
    ['that of the round gap nearest the middle', [1 / 1.42, 1 / 1.26], {}, 1 / 1.3],
    ['that of the round gap nearest a little more than what passes', [1 / 9.8, 1 / 6.2], {}, 1 / 9],
    ['that of a round gap no longer than any', [1 / 1.99, 1 / 1.45], {}, 1 / 1.5],
    ['that of a gap of minutes', [0.007, 0.009], {}, 1 / 120],
    ['the middle where no gap is round either', [4.1, 4.15], {}, 2 / (1 / 4.1 + 1 / 4.15)],
    ['a little more than what passes where none is in use', [20.5, 45], {}, 22.55],
    ['a little more than what passes where it is beyond all', [1_500, infinite], {}, 1_650],
  ])('is %s', (_, [low = 0, high = 0], hints, rate) => {
    expect(likeliestRate(...perSecond(low, high), hints) * 1_000).toBeCloseTo(rate, 6);
  });
});
