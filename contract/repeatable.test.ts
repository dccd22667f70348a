import { expect, it } from 'vitest';
import { deploymentSchema } from './deployment.ts';
import type { Exchange } from './exchange.ts';
import { isRepeatable, mayBeSentTwice } from './repeatable.ts';

it.each([
  ['GET', {}, true],
  ['HEAD', {}, true],
  ['OPTIONS', {}, true],
  ['TRACE', {}, true],
  ['POST', {}, false],
  ['DELETE', { Accept: '*/*' }, false],
  ['POST', { 'idempotency-key': 'a' }, true],
  ['PUT', { 'X-Idempotency-Key': 'a' }, true],
  ['PUT', { Accept: '*/*', 'Idempotency-Key': 'a' }, true],
  ['POST', { 'X-Not-Idempotency-Key': 'a' }, false],
  ['POST', { 'Idempotency-Key-Id': 'a' }, false],
] as const)('%s with %j: %s', (method, headers, repeated) => {
  expect(isRepeatable(method, headers)).toBe(repeated);
});

const deployment = deploymentSchema.parse({
  baseUrls: ['http://127.0.0.1:1'],
  keyEnv: ['A'],
  requests: { media: { path: '/', headers: { 'Idempotency-Key': 'a' } } },
});

it.each<readonly [Partial<Exchange>, boolean]>([
  [{ driver: 'k6', method: 'GET' }, true],
  [{ driver: 'k6', method: 'GET', sentOnce: true }, false],
  [{ driver: 'undici', method: 'GET' }, false],
  [{ driver: 'k6', method: 'POST' }, false],
  [{ driver: 'k6', method: 'POST', scope: 'media' }, true],
])('%j may have been counted twice: %s', (given, twice) => {
  const exchange = { scope: 'standard', ...given } as Exchange;
  expect(mayBeSentTwice(exchange, { deployment })).toBe(twice);
});
