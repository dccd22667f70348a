import { expect, it } from 'vitest';
import { lookedAt } from './looked-at.ts';
import { admitted, limited, unanswered } from './testing/observed.ts';

/** So many requests, a second apart; the one at this place is refused. */
const trace = (count: number, refused = -1) =>
  Array.from({ length: count }, (_, at) => (at === refused ? limited : admitted)(1_000 * at));

it.each([
  ['four thousand from the first refusal on', 10, 4_010],
  ['five times what passed before it, and a thousand', 900, 5_500],
  ['ten thousand of all', 3_000, 10_000],
  ['four thousand after a late refusal', 16_000, 20_000],
  ['four thousand where nothing is refused', -1, 4_000],
])('%s are looked at', (_, refused, count) => {
  expect(lookedAt(trace(25_000, refused))).toHaveLength(count);
});

it.each([
  [4_000, 10],
  [5_500, 900],
  [8_500, 1_500],
  [19_000, 16_000],
])('all of %d are, and it is the same list', (count, refused) => {
  const few = trace(count, refused);
  expect(lookedAt(few)).toBe(few);
});

it('they are those that were sent first', () => {
  const late = trace(12_000).toReversed();
  expect(lookedAt(late).map(({ sentMs }) => sentMs)).toEqual(trace(4_000).map(({ sentMs }) => sentMs));
});

it('a refusal that was on its way when the rest began may have counted, and says nothing more', () => {
  const told = trace(5_000, 10);
  for (const [at, tookMs] of [
    [4_005, 4_999],
    [4_006, 4_000],
    [4_007, 2_998],
  ] as const)
    told[at] = limited(1_000 * at, 1_000 * at + tookMs);
  told[4_009] = unanswered(4_009_000);
  const found = lookedAt(told).slice(4_005);
  // The first that is left out was sent 4,010 s after the beginning; a limiter's clock may put it a millisecond earlier.
  expect(found.map(({ outcome }) => outcome)).toEqual([
    'refused',
    'refused',
    'limited',
    'admitted',
    'indeterminate',
  ]);
});
