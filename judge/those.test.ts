import { expect, test } from 'vitest';
import { those } from './those.ts';

test('all of a list are the list itself', () => {
  const list = [1, 2, 3];
  expect(those(list, () => true)).toBe(list);
});

test.each([
  [
    [1, 2, 3, 4],
    [2, 4],
  ],
  [
    [2, 3, 4, 5],
    [2, 4],
  ],
  [[1, 3], []],
])('of %j those are %j that are even', (list, even) => {
  expect(those(list, (one) => one % 2 === 0)).toEqual(even);
});
