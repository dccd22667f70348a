import { expect, it } from 'vitest';
import { outcomeOf } from '../../contract/outcome.ts';
import { healthOutcome, limiterOutcome } from './limiter-outcome.ts';

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

it.each([
  [200, null, [429], 'admitted'],
  [404, null, [429], 'admitted'],
  [401, null, [429], 'refused'],
  [403, null, [429], 'refused'],
  [403, null, [403], 'limited'],
  [503, null, [429], 'refused'],
  [503, null, [503], 'limited'],
  [null, 'connection reset (ECONNRESET)', [429], 'indeterminate'],
  [null, 'no answer within 10 s', [429], 'limited'],
] as const)('health: %s (%s), refused by %o: %s', (status, failure, refusedBy, outcome) => {
  expect(healthOutcome({ status, failure, outcome: outcomeOf(status) }, refusedBy)).toBe(outcome);
});
