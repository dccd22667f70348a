import { expect, test } from 'vitest';
import { outcomeOf } from './outcome.ts';

test.each([
  [199, 'refused'],
  [200, 'admitted'],
  [299, 'admitted'],
  [300, 'refused'],
  [428, 'refused'],
  [429, 'limited'],
  [500, 'refused'],
  [null, 'indeterminate'],
])('the status %s: %s', (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome);
});
