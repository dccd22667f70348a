import { expect, it } from 'vitest';
import { lookedAt } from './looked-at.ts';
import { admitted, limited } from './testing/observed.ts';

/** So many requests, a second apart; the one at this place is refused. */
const trace = (count: number, refused = -1) =>
  Array.from({ length: count }, (_, at) => (at === refused ? limited : admitted)(1_000 * at));

it('ten thousand requests are looked at, and five thousand from the first refusal on', () => {
  const few = trace(10_000);
  expect(lookedAt(few)).toBe(few);
  expect(lookedAt(trace(10_001))).toHaveLength(10_000);
  expect(lookedAt(trace(20_000, 100))).toHaveLength(10_000);
  expect(lookedAt(trace(20_000, 7_000))).toHaveLength(12_000);
  expect(lookedAt(trace(20_000, 16_000))).toHaveLength(20_000);
});

it('they are those that were sent first', () => {
  const late = trace(12_000).toReversed();
  expect(lookedAt(late).map(({ sentMs }) => sentMs)).toEqual(trace(10_000).map(({ sentMs }) => sentMs));
});
