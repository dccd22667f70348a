import { expect, test } from 'vitest';
import { sharedOut } from './shared-out.ts';

test('who wishes for little gets it, and the others share the rest evenly', () => {
  expect(sharedOut(100, [90, 10, 80])).toEqual([45, 10, 45]);
  expect(sharedOut(100, [30, 10, 20])).toEqual([30, 10, 20]);
  expect(sharedOut(7, [5, 5, 5])).toEqual([2, 2, 3]);
  expect(sharedOut(5, [])).toEqual([]);
});
