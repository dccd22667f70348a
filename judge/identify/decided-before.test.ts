import { expect, it } from 'vitest';
import { contradictedCells } from './decided-before.ts';

/** At half of a cell, where the one before weighs by a half: of 9 that had been counted by then, n before the cell, 9 − n / 2 weigh. */
const demand = (at: number, counted: number, more = {}) => ({
  at,
  startMs: 0,
  counted,
  previous: 0,
  overlap: 0.5,
  ...more,
});

const contradicted = (
  above: readonly ReturnType<typeof demand>[],
  below: readonly ReturnType<typeof demand>[],
) => contradictedCells({ above: { count: 4, by: above }, below: { count: 5, by: below } });

it.each([
  // Above 4: fewer than 2 · (9 − 4) = 10 were decided before. Below 5: more than 2 · (9 − 5) = 8 were.
  ['one number does for both', [demand(1, 9)], [demand(2, 9)], []],
  ['the two exclude each other', [demand(1, 7.9)], [demand(2, 9)], [1]],
  ['only whole numbers can be', [demand(1, 8.4)], [demand(2, 9.05)], [1]],
  ['no more is asked than arithmetic can tell', [demand(1, 8)], [demand(2, 9)], []],
  ['nor of a bound that is nearly whole', [demand(1, 8)], [demand(2, 9 + 1e-9)], []],
  ['those of another cell ask nothing of it', [demand(1, 7.9)], [demand(2, 9, { startMs: 60 })], []],
  ['nothing is asked of below', [demand(1, 7.9)], [], []],
  ['the most of several counts', [demand(1, 7.9)], [demand(2, 6), demand(3, 9), demand(4, 6)], [1]],
  [
    'each that nothing does for is named',
    [demand(1, 7.9), demand(2, 9), demand(3, 7)],
    [demand(4, 9)],
    [1, 3],
  ],
  // Of those before the cell before, 2 do not weigh any more: above 4 means fewer than 8, below 5 more than 6.
  [
    'what lies before the cell before does not weigh',
    [demand(1, 9, { previous: 2 })],
    [demand(2, 9, { previous: 2 })],
    [],
  ],
  ['though by as much as that window does', [demand(1, 9, { previous: 1 })], [demand(2, 9)], []],
  ['and that may be what excludes it', [demand(1, 9, { previous: 2.2 })], [demand(2, 9)], [1]],
  // With a quarter: above 4 means fewer than (9 − 4) / 0.75 = 6.7.
  ['the weight is that of the moment', [demand(1, 9, { overlap: 0.25 })], [demand(2, 9)], [1]],
  ['at the beginning of a cell it makes no difference', [demand(1, 3, { overlap: 1 })], [demand(2, 9)], []],
  ['nor does it for an admission', [demand(1, 3)], [demand(2, 9, { overlap: 1 })], []],
])('%s', (_, above, below, at) => {
  expect(contradicted(above, below)).toEqual(at);
});
