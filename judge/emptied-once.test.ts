import { expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { emptiedOnceFits } from './emptied-once.ts';
import { groupsOf } from './entries.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';

const limits = { standard: 4, messages: 4, media: 4 };

function fits(exchanges: readonly Exchange[]): boolean {
  const [group] = groupsOf(traceOf(exchanges, { limits }));
  if (group === undefined) throw new Error('no group');
  return emptiedOnceFits(group);
}

const four = (ms: number) => times(4, () => admitted(ms, ms + 5));
const full = [...four(0), limited(100, 105)];

/** Windows that are filled as soon as the one before is over. */
const windows = (fromMs: number, count: number): readonly Exchange[] =>
  Array.from({ length: count }, (_, n) => fromMs + n * 60_100).flatMap((ms) => [
    ...four(ms),
    limited(ms + 100, ms + 105),
  ]);

it.each<readonly [string, readonly Exchange[], boolean]>([
  ['a full window', full, true],
  ['a 429 a window after everything', [...full, limited(70_000, 70_005)], false],
  ['one that is full again a window later', [...full, ...four(60_100), limited(60_200, 60_205)], true],
  ['all places back at once, and full again', [...full, ...four(30_000), limited(30_100, 30_105)], true],
  ['the same, full until a window later', [...full, ...four(30_000), limited(89_900, 89_905)], true],
  ['one place back alone', [...full, admitted(30_000, 30_005), limited(30_100, 30_105)], false],
  ['all places back twice', [...full, ...four(30_000), limited(30_100, 30_105), ...four(50_000)], false],
  ['more than the limit before', [admitted(0, 5), ...full, ...four(30_000)], false],
  ['more than the limit afterwards', [...full, ...four(30_000), admitted(30_100, 30_105)], false],
  // Rejections count, so the second 429 keeps the window shut.
  [
    'a 429 that rejections alone explain',
    [...full, ...times(3, () => admitted(30_000, 30_005)), limited(30_100, 30_105), limited(30_200, 30_205)],
    false,
  ],
  ['places back while a 429 was under way', [...full, limited(101, 30_010), ...four(30_000)], false],
  ['places back as a 429 was written', [...full, limited(101, 30_000), ...four(30_000)], false],
  ['places back after a 429 was written', [...full, limited(101, 29_999), ...four(30_000)], true],
  [
    'a 429 that may have come after the places back',
    [...four(0), limited(100, 30_010), ...four(30_000)],
    true,
  ],
  [
    'places back that no 429 had shown taken',
    [...full, ...times(3, () => admitted(61_000, 61_005)), ...four(75_000), limited(75_100, 75_105)],
    true,
  ],
  [
    'all places back, and taken one by one',
    [...full, ...times(4, (at) => admitted(30_000 + 100 * at, 30_005 + 100 * at)), limited(30_500, 30_505)],
    true,
  ],
  [
    'the same, shut for longer by rejections that count from then on alone',
    [
      ...full,
      ...times(4, (at) => admitted(30_000 + 100 * at, 30_005 + 100 * at)),
      ...times(4, () => limited(80_000, 80_005)),
      limited(92_000, 92_005),
    ],
    true,
  ],
  [
    'a window kept while rejections take no place',
    [
      ...full,
      ...[59_000, 119_500].flatMap((ms) => [...times(4, () => limited(ms, ms + 5)), ...four(ms + 1_100)]),
    ],
    true,
  ],
  ['that in the midst of many windows', [...windows(0, 9), ...windows(510_000, 9)], true],
  ['that at the end of many windows', [...windows(0, 18), ...windows(1_050_000, 1)], true],
  [
    'that twice among many windows',
    [...windows(0, 6), ...windows(330_000, 6), ...windows(660_000, 6)],
    false,
  ],
])('one moment at which it was emptied explains %s: %s', (_what, exchanges, expected) => {
  expect(fits(exchanges)).toBe(expected);
});
