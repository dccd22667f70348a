import { describe, expect, it } from 'vitest';
import { median, risingScore, shareInterval, slope } from './statistics.ts';

describe('the interval of a share', () => {
  it('is Wilson’s', () => {
    // Worked out by hand: (0.7 + z²/20) / (1 + z²/10) ± z √(0.021 + z²/400) / (1 + z²/10), z = 2.576.
    const { low, high } = shareInterval(7, 10);
    expect(low).toBeCloseTo(0.32, 3);
    expect(high).toBeCloseTo(0.92, 3);
  });

  it('ends at 0 and at 1, and leaves room where all or none were counted', () => {
    expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 });
    const [none, all] = [shareInterval(0, 10), shareInterval(10, 10)];
    expect(none.low).toBeCloseTo(0, 12);
    expect(none.high).toBeCloseTo(0.3989, 4);
    expect(all.low).toBeCloseTo(0.6011, 4);
    expect(all.high).toBeCloseTo(1, 12);
  });
});

it.each([
  [[10, 9, 100], 10],
  [[4, 1, 30, 2], 3],
  [[], Number.NaN],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

it.each([
  [[1, 3, 5], 2],
  [[7, 4, 1, -2], -3],
  [[0, 0, 3], 1.5],
  [[4], 0],
  [[], 0],
])('the slope of %j is %d', (values, expected) => {
  expect(slope(values)).toBeCloseTo(expected, 9);
});

describe('how surely series rise', () => {
  // The variance of Kendall's score of three values is 3 · 2 · 11 / 18, of four 4 · 3 · 13 / 18.
  const [three, four] = [66 / 18, 156 / 18];

  it.each([
    ['one that rises', [[1, 2, 3]], 3 / Math.sqrt(three)],
    ['one that falls', [[3, 2, 1]], -3 / Math.sqrt(three)],
    ['one with one pair that falls', [[1, 3, 2, 4]], 4 / Math.sqrt(four)],
    [
      'two together',
      [
        [1, 2, 3],
        [1, 3, 2, 4],
      ],
      7 / Math.sqrt(three + four),
    ],
    ['one that stands still', [[5, 5, 5]], 0],
    ['none', [], 0],
    ['one of a single value', [[1]], 0],
  ])('%s', (_, series, score) => {
    expect(risingScore(series)).toBeCloseTo(score, 9);
  });
});
