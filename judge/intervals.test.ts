import { expect, it, test } from 'vitest';
import { type Entry, groupsOf } from './entries.ts';
import {
  type Bounds,
  boundsAdmitted,
  boundsDecided,
  boundsNotLimited,
  countBelow,
  countUpTo,
  everyBound,
} from './intervals.ts';
import { admitted, indeterminate, limited, originMs, traceOf } from './testing/traces.ts';

test('which requests count is said by their outcome', () => {
  // Overtaken on the way: what was sent first was answered last.
  const entries = entriesOf(
    admitted(0, 90),
    limited(10, 20),
    admitted(30, 40, { status: 403 }),
    indeterminate(50),
    admitted(60, 70),
  );
  expect(lowsOf(everyBound(entries))).toEqual([0, 10, 30, 50, 60]);
  expect(lowsOf(boundsNotLimited(entries))).toEqual([0, 30, 50, 60]);
  expect(lowsOf(boundsAdmitted(entries))).toEqual([0, 60]);
  expect(lowsOf(boundsDecided(entries))).toEqual([0, 10, 60]);
});

test('both ends ascend, whatever the order of the requests', () => {
  const entries = entriesOf(admitted(20, 25), admitted(0, 90)).toReversed();
  for (const order of [entries, entries.toReversed()]) {
    const bounds = everyBound(order);
    expect(lowsOf(bounds)).toEqual([0, 20]);
    expect([...bounds.highs].map((ms) => ms - originMs)).toEqual([25, 90]);
  }
});

it.each([
  [0, 0, 0],
  [1, 0, 1],
  [2, 1, 3],
  [3, 3, 4],
  [4, 4, 4],
])('values below %d, and up to it', (value, below, upTo) => {
  const ascending = Float64Array.of(1, 2, 2, 3);
  expect(countBelow(ascending, value)).toBe(below);
  expect(countUpTo(ascending, value)).toBe(upTo);
  expect(countUpTo(ascending, value, 2)).toBe(Math.min(upTo, 2));
});

function entriesOf(...exchanges: Parameters<typeof traceOf>[0]): readonly Entry[] {
  const [group] = groupsOf(traceOf(exchanges));
  return group!.entries;
}

function lowsOf({ lows }: Bounds): readonly number[] {
  return [...lows].map((ms) => ms - originMs);
}
