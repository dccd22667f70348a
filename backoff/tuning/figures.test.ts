import { expect, it } from 'vitest';
import { meanOf } from './figures.ts';

it('gives a mean the interval that Student’s t gives it', () => {
  // Ten values with mean 5.5 and variance 55 / 6; t with 9 degrees of freedom is 2.262.
  const { value, low, high } = meanOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(value).toBe(5.5);
  expect(high - value).toBeCloseTo(2.262 * Math.sqrt(55 / 6 / 10), 1);
  expect(value - low).toBeCloseTo(high - value, 9);
});

it('claims nothing about one value, nor about what was never done', () => {
  expect(meanOf([7])).toEqual({ value: 7, low: 7, high: 7 });
  const never = meanOf([1, Number.POSITIVE_INFINITY]);
  expect(never).toEqual({
    value: Number.POSITIVE_INFINITY,
    low: Number.POSITIVE_INFINITY,
    high: Number.POSITIVE_INFINITY,
  });
});
