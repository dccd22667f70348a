import fc from 'fast-check';
import { expect, test } from 'vitest';
import { laterTimes } from './later-times.ts';

test('any time is given back exactly as it was set, whatever the one before it is', () => {
  const ms = fc.oneof(
    fc.double({ min: 1.7e12, max: 1.8e12 }),
    fc.double({ min: 0, max: 10_000 }).map((after) => 1.76e12 + after),
    fc.double({ noNaN: true }),
    fc.constantFrom(0, -1, 1.76e12 + 0.1, 1.76e12 + 2 ** 20, 1.76e12 + 2 ** 20 - 1, Number.POSITIVE_INFINITY),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(ms, ms), { maxLength: 20 }), (pairs) => {
      const times = laterTimes(Float64Array.from(pairs, ([from]) => from));
      for (const [at, [, later]] of pairs.entries()) times.set(at, later);
      expect(pairs.map((_, at) => times.get(at))).toEqual(pairs.map(([, later]) => later));
    }),
    { seed: 6, numRuns: 300 },
  );
});
