import { expect, it } from 'vitest';
import { isOwnHeader, isSameHeader } from './header-name.ts';

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

it('a header is the same in letters of either case', () => {
  const name = 'X-Api-Key';
  expect([isSameHeader(name, 'x-api-KEY'), isSameHeader(name, 'authorization')]).toEqual([true, false]);
});
