import { expect, it } from 'vitest';
import { isOwnHeader } from './own-header.ts';

it.each([
  ['host', true],
  ['X-Request-ID', true],
  ['Content-Length', true],
  ['X-Host', false],
  ['Host-Key', false],
  ['X-Api-Key', false],
])('%s is one of our own: %j', (name, isOwn) => {
  expect(isOwnHeader(name)).toBe(isOwn);
});
