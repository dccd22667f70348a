import { expect, it } from 'vitest';
import { outcomeOf } from '../../contract/outcome.ts';
import { limiterOutcome } from './limiter-outcome.ts';

it.each([
  [200, [429], 'admitted'],
  [404, [429], 'admitted'],
  [429, [429], 'limited'],
  [429, [503], 'admitted'],
  [503, [503], 'limited'],
  [408, [429], 'refused'],
  [408, [408], 'limited'],
  [502, [429], 'refused'],
  [null, [429], 'indeterminate'],
] as const)('%s, refused by %o: %s', (status, refusedBy, outcome) => {
  expect(limiterOutcome({ status, outcome: outcomeOf(status) }, refusedBy)).toBe(outcome);
});
