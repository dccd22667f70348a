import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearestRank, sortedCopy } from './nearest-rank.ts';

const from1To = (count: number) => sortedCopy(Array.from({ length: count }, (_, at) => at + 1));

describe('the nearest rank', () => {
  test.each([
    [5, 15],
    [30, 20],
    [40, 20],
    [50, 35],
    [100, 50],
  ])('p%i of 15, 20, 35, 40, 50 is %i, in whatever order they come', (percent, value) => {
    expect(nearestRank(sortedCopy([50, 15, 40, 20, 35]), percent)).toBe(value);
  });

  test('is a value that was measured, never the one after it', () => {
    expect(nearestRank(from1To(100), 99)).toBe(99);
    expect(nearestRank(from1To(10), 50)).toBe(5);
    expect(nearestRank(from1To(100), 7)).toBe(7);
    expect(nearestRank(from1To(1), 1)).toBe(1);
    expect(nearestRank(from1To(1), 99)).toBe(1);
  });

  test('of nothing is null', () => {
    expect(nearestRank(sortedCopy([]), 50)).toBeNull();
  });

  test('is the least value that enough of them do not exceed', () => {
    const property = fc.property(
      fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 100 }),
      (values, percent) => {
        const isEnough = (most: number) =>
          100 * values.filter((value) => value <= most).length >= percent * values.length;
        expect(nearestRank(sortedCopy(values), percent)).toBe(Math.min(...values.filter(isEnough)));
      },
    );
    fc.assert(property, { seed: 7, numRuns: 500 });
  });
});
