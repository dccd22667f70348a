import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { countBelow, countingAlong, countsBelow, countUpTo } from './counting.ts';

it.each([
  [0, 0, 0],
  [1, 0, 1],
  [2, 1, 3],
  [3, 3, 4],
  [4, 4, 4],
])('values below %d, and up to it', (value, below, upTo) => {
  const ascending = Float64Array.of(1, 2, 2, 3);
  expect(countBelow(ascending, value)).toBe(below);
  expect(countUpTo(ascending, value)).toBe(upTo);
  expect(countUpTo(ascending, value, 2)).toBe(Math.min(upTo, 2));
});

const times = fc
  .record({
    starts: fc.array(fc.double({ min: -1_000, max: 200_000, noNaN: true }), { minLength: 1, maxLength: 8 }),
    steps: fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { maxLength: 40 }),
    unanswered: fc.nat(3),
  })
  .map(({ starts, steps, unanswered }) =>
    Float64Array.from([
      ...starts.flatMap((start) => [start, ...steps.map((step) => start + step)]),
      ...Array<number>(unanswered).fill(Number.POSITIVE_INFINITY),
    ]).sort(),
  );

test('a table says the same as a search, of its own values and of all between and beside them', () => {
  fc.assert(
    fc.property(times, fc.array(fc.double({ min: -3_000, max: 210_000, noNaN: true })), (values, others) => {
      const below = countsBelow(values);
      const beside = [...values].flatMap((value) => [value - 0.001, value, value + 0.001]);
      const ends = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN];
      for (const value of [...beside, ...others, ...ends])
        expect([value, below(value)]).toEqual([value, countBelow(values, value)]);
    }),
  );
});

test('values that are all the same, or none, need no table', () => {
  expect(countsBelow(new Float64Array(100).fill(7))(7)).toBe(0);
  expect(countsBelow(new Float64Array(100).fill(7))(7.1)).toBe(100);
  expect(countsBelow(new Float64Array(0))(1)).toBe(0);
  expect(countsBelow(new Float64Array(40).fill(Number.POSITIVE_INFINITY))(1e9)).toBe(0);
  // So close together that no number says how many places a millisecond has.
  const close = Float64Array.from({ length: 40 }, (_, at) => (at < 20 ? 0 : Number.MIN_VALUE));
  expect(countsBelow(close)(Number.MIN_VALUE)).toBe(20);
});

test('counting along a list counts what searching all of it counts, in whatever order it is asked', () => {
  const values = fc.array(fc.oneof(fc.nat(60), fc.constant(Number.POSITIVE_INFINITY)), { maxLength: 60 });
  const asked = fc.array(
    fc.oneof(fc.nat(62), fc.constantFrom(-1, 0.5, Number.NEGATIVE_INFINITY, Number.NaN)),
  );
  fc.assert(
    fc.property(values, asked, (unsorted, questions) => {
      const ascending = Float64Array.from(unsorted).sort();
      const along = countingAlong(ascending);
      for (const value of questions) {
        expect(along.below(value)).toBe(countBelow(ascending, value));
        expect(along.upTo(value)).toBe(countUpTo(ascending, value));
      }
    }),
  );
});
