import { expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { groupsOf } from './entries.ts';
import { prolongedBlockFits } from './prolonged-block.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';

const limits = { standard: 4, messages: 4, media: 4 };

function fits(exchanges: readonly Exchange[]): boolean {
  const [group] = groupsOf(traceOf(exchanges, { limits }));
  if (group === undefined) throw new Error('no group');
  return prolongedBlockFits(group);
}

const full = [...times(4, () => admitted(0, 5)), limited(100, 105)];
const asked = (...moments: readonly number[]) => moments.map((ms) => limited(ms, ms + 5));

it.each<readonly [string, readonly Exchange[], boolean]>([
  ['no 429 at all', full.slice(0, 4), false],
  ['a full window', full, true],
  ['one that each 429 keeps shut', [...full, ...asked(50_000, 100_000, 150_000)], true],
  ['one that opens after a silence', [...full, ...asked(50_000), admitted(111_000, 111_005)], true],
  [
    'one that opens although it was asked meanwhile',
    [...full, ...asked(50_000), admitted(100_000, 100_005)],
    false,
  ],
  // Answered a window after the 429 was asked for, by a clock within its bounds, or a little sooner.
  ['one that opens as the silence ends', [...full, admitted(60_070, 60_075)], true],
  ['one that opens just before', [...full, admitted(60_069, 60_074)], false],
  ['a 429 at the same moment as the admission', [...full.slice(0, 3), limited(3, 10), admitted(5, 9)], true],
  ['a 429 after a silence of a window and more', [...full, ...asked(61_000, 122_100)], false],
  ['a 429 after one that ends within whole seconds', [...full, ...asked(61_000, 122_000)], true],
  ['a 429 for which others may have filled the window', [admitted(0, 5), limited(100, 105)], true],
  [
    'a 429 after a silence, in a window that is full again',
    [...full, ...times(4, () => admitted(130_000, 130_005)), ...asked(130_100)],
    true,
  ],
  [
    'a 429 after a silence, in a window with a place left',
    [...full, ...times(3, () => admitted(130_000, 130_005)), ...asked(130_100)],
    false,
  ],
  ['more than the limit', [...times(5, () => admitted(0, 5)), limited(100, 105)], false],
])('a block that each 429 prolongs explains %s: %s', (_what, exchanges, expected) => {
  expect(fits(exchanges)).toBe(expected);
});
