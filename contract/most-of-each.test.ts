import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostOfEach } from './most-of-each.ts';

const byKind = {
  of: ([kind]: readonly [string, number]) => kind,
  weight: ([, weight]: readonly [string, number]) => weight,
};

test('each kind has its turn, what weighs most comes first, and the order stays', () => {
  const items = [
    ['a', 1],
    ['a', 3],
    ['a', 2],
    ['b', 9],
    ['b', 9],
    ['c', 0],
  ] as const;
  expect(mostOfEach(items, 2, byKind)).toEqual([items[1], items[3]]);
  expect(mostOfEach(items, 4, byKind)).toEqual([items[1], items[3], items[4], items[5]]);
  expect(mostOfEach(items, items.length, byKind)).toBe(items);
});

test('no kind has one more than another that has some left', () => {
  const some = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(5)), { maxLength: 30 });
  fc.assert(
    fc.property(some, fc.nat(30), (items, most) => {
      const kept = mostOfEach(items, most, byKind);
      expect(kept.length).toBe(Math.min(most, items.length));
      for (const kind of 'abc') {
        const left = items.filter((one) => one[0] === kind && !kept.includes(one));
        const own = kept.filter(([one]) => one === kind);
        if (left.length === 0) continue;
        for (const other of 'abc')
          expect(kept.filter(([one]) => one === other).length).toBeLessThanOrEqual(own.length + 1);
        for (const [, weight] of left)
          expect(weight).toBeLessThanOrEqual(Math.min(...own.map(([, one]) => one), 9));
      }
    }),
  );
});
