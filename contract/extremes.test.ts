import { expect, test } from 'vitest';
import { greatestOf, leastOf } from './extremes.ts';

test('the least and the greatest of more values than a call takes arguments', () => {
  const values = Array.from({ length: 300_000 }, (_, at) => (at * 7_919) % 300_007);
  values.push(-5, 0);
  expect([leastOf(values), greatestOf(values)]).toEqual([-5, 300_006]);
});

test('of none, what any value is beyond', () => {
  expect([leastOf([]), greatestOf([])]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});
