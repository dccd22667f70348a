import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { type Entry, groupsOf } from './entries.ts';
import {
  type Bounds,
  boundsAdmitted,
  boundsDecided,
  boundsNotLimited,
  boundsOfAll,
  boundsToCount,
  countBelow,
  countingAlong,
  countingAlongAll,
  countsBelow,
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

/** Times of bursts, with pauses between them, and as many values that stand for no answer. */
const times = fc
  .record({
    starts: fc.array(fc.double({ min: -1_000, max: 200_000, noNaN: true }), { minLength: 1, maxLength: 8 }),
    steps: fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { maxLength: 40 }),
    unanswered: fc.nat(3),
  })
  .map(({ starts, steps, unanswered }) =>
    Float64Array.from([
      ...starts.flatMap((start) => [start, ...steps.map((step) => start + step)]),
      ...Array<number>(unanswered).fill(Number.POSITIVE_INFINITY),
    ]).sort(),
  );

test('a table says the same as a search, of its own values and of all between and beside them', () => {
  fc.assert(
    fc.property(times, fc.array(fc.double({ min: -3_000, max: 210_000, noNaN: true })), (values, others) => {
      const below = countsBelow(values);
      const beside = [...values].flatMap((value) => [value - 0.001, value, value + 0.001]);
      const ends = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN];
      for (const value of [...beside, ...others, ...ends])
        expect([value, below(value)]).toEqual([value, countBelow(values, value)]);
    }),
  );
});

test('values that are all the same, or none, need no table', () => {
  expect(countsBelow(new Float64Array(100).fill(7))(7)).toBe(0);
  expect(countsBelow(new Float64Array(100).fill(7))(7.1)).toBe(100);
  expect(countsBelow(new Float64Array(0))(1)).toBe(0);
  expect(countsBelow(new Float64Array(40).fill(Number.POSITIVE_INFINITY))(1e9)).toBe(0);
  // So close together that no number says how many places a millisecond has.
  const close = Float64Array.from({ length: 40 }, (_, at) => (at < 20 ? 0 : Number.MIN_VALUE));
  expect(countsBelow(close)(Number.MIN_VALUE)).toBe(20);
});

test('counting along a list counts what searching all of it counts, in whatever order it is asked', () => {
  const values = fc.array(fc.oneof(fc.nat(60), fc.constant(Number.POSITIVE_INFINITY)), { maxLength: 60 });
  const asked = fc.array(
    fc.oneof(fc.nat(62), fc.constantFrom(-1, 0.5, Number.NEGATIVE_INFINITY, Number.NaN)),
  );
  fc.assert(
    fc.property(values, asked, (unsorted, questions) => {
      const ascending = Float64Array.from(unsorted).sort();
      const along = countingAlong(ascending);
      for (const value of questions) {
        expect(along.below(value)).toBe(countBelow(ascending, value));
        expect(along.upTo(value)).toBe(countUpTo(ascending, value));
      }
    }),
  );
});

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
