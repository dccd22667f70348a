import { expect, test } from 'vitest';
import { type ClientFlags, clientOf } from '../../backoff/tuning/client.ts';
import { checkVerifiable } from './verify-tuning.ts';

const flags: ClientFlags = {
  scope: 'messages',
  clients: 20,
  processes: 1,
  latency: [24],
  loss: 0,
  knows: 'limit',
  method: 'GET',
  retryAfterHeader: true,
  slack: 1.5,
  runs: 3,
};

test.each([
  [{ loss: 5 }, false, 'leave out --loss'],
  [{ clients: 101 }, false, '--clients 101 is more than 100'],
  [{}, true, 'leave out --limiter'],
])('%o cannot be verified live, and it is said why', (more, found, sentence) => {
  expect(() => checkVerifiable(clientOf({ ...flags, ...more }, null), found)).toThrow(sentence);
});

test('a client of the documented limiter can be', () => {
  expect(() => checkVerifiable(clientOf(flags, null), false)).not.toThrow();
});
