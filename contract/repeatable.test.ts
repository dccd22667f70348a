import { expect, it } from 'vitest';
import { isRepeatable } from './repeatable.ts';

it.each([
  ['GET', {}, true],
  ['HEAD', {}, true],
  ['POST', {}, false],
  ['DELETE', { Accept: '*/*' }, false],
  ['POST', { 'idempotency-key': 'a' }, true],
  ['PUT', { 'X-Idempotency-Key': 'a' }, true],
  ['POST', { 'X-Not-Idempotency-Key': 'a' }, false],
] as const)('%s with %j: %s', (method, headers, repeated) => {
  expect(isRepeatable(method, headers)).toBe(repeated);
});
