import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leastSlope, pointsOf } from './steepest.ts';

const floats = (values: readonly number[]): Float64Array => Float64Array.from(values);

it('the least slope is that from the point after which all others lie below the line', () => {
  const points = pointsOf(floats([0, 1, 2, 3]), floats([0, 5, 6, 6.5]));
  expect(leastSlope(points, { x: 4, y: 8, count: 4 })).toBeCloseTo(1);
  expect(leastSlope(points, { x: 4, y: 20, count: 4 })).toBeCloseTo(5);
});

it('where there is no point to the left there is no slope', () => {
  const points = pointsOf(floats([2, 3]), floats([0, 0]));
  expect(leastSlope(points, { x: 2, y: 1, count: 2 })).toBe(Number.POSITIVE_INFINITY);
  expect(leastSlope(points, { x: 9, y: 1, count: 0 })).toBe(Number.POSITIVE_INFINITY);
});

it('is the least of all, whatever the points', () => {
  const heights = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(heights, fc.nat(50), fc.nat(80), fc.nat(45), (y, x, targetY, count) => {
      const points = pointsOf(floats(y.map((_, at) => at)), floats(y));
      const slopes = y.slice(0, Math.min(count, x)).map((one, at) => (targetY - one) / (x - at));
      const found = leastSlope(points, { x, y: targetY, count });
      // The hull is that of what is not above the target.
      if (slopes.every((slope) => slope >= 0)) expect(found).toBe(Math.min(...slopes));
      else expect(found).toBeLessThan(0);
    }),
    { numRuns: 2_000, seed: 17 },
  );
});
