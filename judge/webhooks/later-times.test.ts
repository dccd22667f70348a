import fc from 'fast-check';
import { expect, test } from 'vitest';
import { laterTimes, timesInARow } from './later-times.ts';

test('any time is given back exactly as it was set, whatever the one before it is', () => {
  const ms = fc.oneof(
    fc.double({ min: 1.7e12, max: 1.8e12 }),
    fc.double({ min: 0, max: 10_000 }).map((after) => 1.76e12 + after),
    // No clock shows -0.
    fc.double({ noNaN: true }).map((any) => any + 0),
    fc.constantFrom(0, -1, 1.76e12 + 0.1, 1.76e12 + 2 ** 20, 1.76e12 + 2 ** 20 - 1, Number.POSITIVE_INFINITY),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(ms, ms), { maxLength: 20 }), (pairs) => {
      const times = laterTimes(pairs.length, (at) => pairs[at]?.[0] as number);
      for (const [at, [, later]] of pairs.entries()) times.set(at, later);
      expect(pairs.map((_, at) => times.get(at))).toEqual(pairs.map(([, later]) => later));
    }),
    { seed: 6, numRuns: 300 },
  );
});

test('so is each of many in a row, also where one is earlier, or much later', () => {
  const times = timesInARow(1_000);
  const all = Array.from({ length: 1_000 }, (_, at) => {
    if (at % 97 === 5) return 1.7e12 - at;
    return 1.76e12 + at * (at < 600 ? 0.3 : 90_000) + 0.1;
  });
  for (const [at, ms] of all.entries()) times.set(at, ms);
  expect(all.map((_, at) => times.get(at))).toEqual(all);
});

test('four bytes are all that is asked where a time is a little later', () => {
  const times = laterTimes(2, () => 1.76e12);
  times.set(1, 1.76e12 + 0.25);
  expect([...times.units]).toEqual([0, 1_024]);
  times.units[1] = 2_048;
  expect(times.get(1)).toBe(1.76e12 + 0.5);
});

test('times in a row are kept from the first of each 256', () => {
  const times = timesInARow(600);
  for (let at = 0; at < 600; at += 1) times.set(at, 1.76e12 + at);
  expect([...times.units]).toEqual(Array.from({ length: 600 }, (_, at) => (at % 256) * 4_096));
});
