import { expect, it, test } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { isServed, keyRefusals } from './refused-keys.ts';
import { admitted, type Given, limited } from './testing/traces.ts';

const bare: Given = { limit: null, remaining: null, reset: null };
const refused = (sentMs: number, given: Given = {}): Exchange =>
  admitted(sentMs, sentMs + 5, { ...bare, status: 401, ...given });
const served = (sentMs: number, given: Given = {}): Exchange => admitted(sentMs, sentMs + 5, given);

/** Whether the last of these is among those that show that its key is not taken. */
const shows = (...exchanges: readonly Exchange[]): boolean =>
  keyRefusals(exchanges).has(exchanges.at(-1) as Exchange);

test.each<readonly [string, boolean, readonly Exchange[]]>([
  ['a refusal', true, [refused(0)]],
  ['one answered when the key was last served, at the earliest', true, [served(5), refused(0)]],
  ['one before the key was served', false, [served(6), refused(0)]],
  ['one before the key was limited', false, [limited(6, 9), refused(0)]],
  ['one after the key was served', true, [served(0), served(3), refused(20)]],
  ['one before another key was served', true, [served(30, { key: 'B' }), refused(0)]],
  [
    'one before something was served that had no valid key',
    true,
    [served(30, { credential: 'unknown' }), refused(0)],
  ],
  ['one that had no valid key', false, [refused(0, { credential: 'unknown' })]],
  ['one without a key', false, [refused(0, { key: null })]],
  ['one with a header of the limit', false, [refused(0, { limit: '30' })]],
  ['a redirect', true, [refused(0, { status: 300 })]],
  ['another redirect', true, [refused(0, { status: 399 })]],
  ['an answer without headers', false, [refused(0, { status: 299, outcome: 'admitted' })]],
  ['how a request is answered that passes', false, [refused(0, { outcome: 'admitted' })]],
  ['a 400', false, [refused(0, { status: 400 })]],
  ['a page of another layer', false, [refused(0, { status: 403, body: '<html>' })]],
])('%s shows a key that is not taken: %s', (_what, expected, exchanges) => {
  expect(shows(...exchanges)).toBe(expected);
});

it('is served where it had a valid key and was admitted or limited', () => {
  const given: Given = { credential: 'unknown' };
  const found = [served(0), limited(0, 5), refused(0, { outcome: 'refused' }), served(0, given)].map(
    isServed,
  );
  expect(found).toEqual([true, true, false, false]);
});
