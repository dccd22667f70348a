import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countBelow, countingAlongAll, countUpTo } from './counting.ts';
import { type Entry, groupsOf } from './entries.ts';
import {
  type Bounds,
  boundsAdmitted,
  boundsDecided,
  boundsNotLimited,
  boundsOfAll,
  boundsToCount,
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

function entriesOf(...exchanges: Parameters<typeof traceOf>[0]): readonly Entry[] {
  const [group] = groupsOf(traceOf(exchanges));
  return group!.entries;
}

function lowsOf({ lows }: Bounds): readonly number[] {
  return [...lows].map((ms) => ms - originMs);
}

/** Times of bursts, with pauses between them, and as many values that stand for no answer. */
test('the ends of several histories are those of all their requests', () => {
  const sent = fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 6 }), (histories) => {
      const all = histories.map((one) => one.map(([at, took]) => admitted(at, at + took)));
      const bounds = boundsOfAll(all.map((one) => (one.length === 0 ? [] : entriesOf(...one))));
      const every = all.flat();
      const ascending = (moments: readonly (number | null)[]) =>
        Float64Array.from(moments, (ms) => ms ?? Number.POSITIVE_INFINITY).sort();
      expect(bounds.lows).toEqual(ascending(every.map(({ sentMs }) => sentMs)));
      expect(bounds.highs).toEqual(ascending(every.map(({ receivedMs }) => receivedMs)));
    }),
  );
});

test.each([
  [0, 0],
  [8, 8],
  [9, 1],
])('%i histories are counted as %i, and together as one list would be', (count, lists) => {
  const histories = Array.from({ length: count }, (_, at) =>
    entriesOf(admitted(at, 50 - at), limited(30, 40)),
  );
  const toCount = boundsToCount([...histories, []]);
  expect(toCount).toHaveLength(lists);
  const all = boundsOfAll(histories);
  for (const end of ['lows', 'highs'] as const) {
    const together = countingAlongAll(toCount.map((bounds) => bounds[end]));
    for (const relativeMs of [0, 5, 30, 20, 40, 41, 60, 3]) {
      const ms = originMs + relativeMs;
      expect(together.below(ms)).toBe(countBelow(all[end], ms));
      expect(together.upTo(ms)).toBe(countUpTo(all[end], ms));
    }
  }
});
