import { expect, it, test } from 'vitest';
import { firstOfList, itemsOf, saidByDictionary, saidByFields } from './ietf-fields.ts';

it.each([
  // As hono-rate-limiter and express-rate-limit write it for draft 8, and an item with parameters of its own.
  [
    '"a";q=100;w=60;pk=:cHsdsRa=:',
    '"a";r=50;t=30',
    { limit: '100', window: '60', remaining: '50', reset: '30' },
  ],
  ['"a";q=100', '"a";r=0', { limit: '100', window: null, remaining: '0', reset: null }],
  [
    '"day";q=9000;w=86400, "min";q=100;w=60;x-burst=3',
    '"min";r=5;t=1',
    { limit: '100', window: '60', remaining: '5', reset: '1' },
  ],
  ['"a";q=100;w=60', '"other";r=1;t=2', { limit: '100', window: '60', remaining: '1', reset: '2' }],
  ['"a";q=1.5;w="60"', '"a";r=-1;t=?1', { limit: null, window: null, remaining: null, reset: null }],
  ['100;w=60', '', { limit: null, window: '60', remaining: null, reset: null }],
  ['("a" "b");q=1', 'a b', { limit: null, window: null, remaining: null, reset: null }],
  [null, null, { limit: null, window: null, remaining: null, reset: null }],
])('%s with %s says what it says', (policy, limit, said) => {
  expect(saidByFields(policy, limit)).toEqual(said);
});

test('what is no structured field has no items', () => {
  expect(itemsOf('"a')).toBeNull();
  expect(itemsOf('("a" "b")')).toBeNull();
  expect(itemsOf('')).toEqual([]);
});

it.each([
  ['limit=100, remaining=50, reset=30', { limit: '100', remaining: '50', reset: '30' }],
  ['reset=0,limit=100;x=1, remaining=0, more="a"', { limit: '100', remaining: '0', reset: '0' }],
  ['limit=100, remaining=50', { limit: '100', remaining: '50', reset: null }],
  ['limit=-1, remaining=1.5, reset', { limit: '-1', remaining: '1.5', reset: 'true' }],
  ['', { limit: null, remaining: null, reset: null }],
  ['limit=100; remaining=50', { limit: '100', remaining: null, reset: null }],
  ['limit: 100', null],
  ['"a";r=5;t=30', null],
])('the one field %j says %o', (raw, said) => expect(saidByDictionary(raw)).toEqual(said));

it.each([
  ['100', '100'],
  ['100, 100;w=60', '100'],
  ['100, 10;w=1, 100;w=60', '100'],
  ['76;w=21600', '76'],
  ['597.0', '597'],
  ['-1', '-1'],
  ['1.5', '1.5'],
  ['soon', 'soon'],
  ['"100"', '"100"'],
  ['', ''],
  ['20:1,100:120', '20'],
  [' 7 : 10', '7'],
  ['20:1:3', '20:1:3'],
  ['20:', '20:'],
  ['12:30, x', '12:30, x'],
])('the limit in %j of an earlier draft is %j', (raw, limit) => expect(firstOfList(raw)).toBe(limit));
