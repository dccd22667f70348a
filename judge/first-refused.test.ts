import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { windowMsAtMost } from '../contract/bounds.ts';
import type { Entry } from './entries.ts';
import { seenOfCrowd, unexplainedCrowds } from './first-refused.ts';
import { admitted, limited, originMs } from './testing/traces.ts';

const windowMs = 60_000;
const reachMs = windowMsAtMost(windowMs);

/** A request that was decided somewhere between two moments, ms. */
function entryOf(isAdmitted: boolean, lowMs: number, highMs: number, cost?: number): Entry {
  const exchange = (isAdmitted ? admitted : limited)(lowMs - originMs, highMs - originMs);
  return { exchange: cost === undefined ? exchange : { ...exchange, cost }, lowMs, highMs };
}

const isRefusal = ({ exchange }: Entry): boolean => exchange.outcome === 'limited';

/** In the order in which they were sent; a request that costs 3 stands there three times. */
function crowdsOf(entries: readonly Entry[], limit: number): readonly (readonly Entry[])[] {
  const sorted = entries.toSorted((left, right) => left.lowMs - right.lowMs);
  const units = sorted.flatMap((entry) =>
    Array.from({ length: entry.exchange.cost ?? 1 }, (_, at) => (at === 0 ? entry : { ...entry })),
  );
  return unexplainedCrowds({ limit, entries: units, refusals: sorted.filter(isRefusal), windowMs });
}

const took = (count: number, ms: number) => Array.from({ length: count }, () => entryOf(true, ms, ms + 5));
const refused = (count: number, ms: number) =>
  Array.from({ length: count }, () => entryOf(false, ms, ms + 5));

describe('429s that came together', () => {
  it('do not explain one another: before the first of them all but one place was taken', () => {
    expect(crowdsOf([...took(3, 0), ...refused(4, 10)], 4)).toHaveLength(1);
    expect(crowdsOf([...took(3, 0), ...refused(4, 10)], 4)[0]).toHaveLength(4);
    expect(crowdsOf([...took(4, 0), ...refused(4, 10)], 4)).toEqual([]);
  });

  it('are explained by those that came before them within a window', () => {
    const later = (ms: number) => crowdsOf([...took(3, 0), ...refused(1, 10_000), ...refused(2, ms)], 4);
    // The one that came first has no other before it.
    expect(later(20_000).map(({ length }) => length)).toEqual([1]);
    const full = (ms: number) => crowdsOf([...took(4, 0), ...refused(3, 10_000), ...refused(2, ms)], 4);
    expect(full(10_005 + reachMs).map(({ length }) => length)).toEqual([2]);
    expect(full(5 + reachMs)).toEqual([]);
  });

  it('are explained where an admission may have come between them', () => {
    expect(crowdsOf([...took(3, 0), entryOf(true, 12, 20), ...refused(3, 10)], 4)).toEqual([]);
    expect(crowdsOf([...took(3, 0), entryOf(true, 15.5, 20), ...refused(3, 10)], 4)).toHaveLength(1);
  });

  it('explain one another where one of them was decided first', () => {
    // The long one may have come after the fourth admission, the others after it.
    const long = entryOf(false, 10, 40);
    const short = refused(2, 30);
    expect(crowdsOf([...took(4, 0), long, ...short], 5).map(({ length }) => length)).toEqual([3]);
    expect(crowdsOf([...took(4, 0), entryOf(true, 38, 50), long, ...short], 5)).toEqual([]);
  });

  it('are no crowd with some that are too early for their window', () => {
    const early = [...refused(2, 0), entryOf(false, 3, 70_000)];
    // Two admissions explain it: of those that are left open before it, only one lies in its window.
    const late = [entryOf(false, 68_000, 72_000), ...took(2, 71_000)];
    expect(crowdsOf([...early, ...late], 2)).toEqual([early]);
  });

  it('are no crowd with some that were sent after their answer', () => {
    const early = refused(2, 0);
    const third = entryOf(false, 3, 70_000);
    // Explained by two admissions, by the third and by the long one; those that come later have nothing before them.
    const one = entryOf(false, 68_000, 72_000);
    const long = entryOf(false, 69_000, 140_000);
    const later = refused(3, 135_000);
    const all = [...early, third, one, long, ...took(2, 71_000), ...later];
    expect(crowdsOf(all, 2)).toEqual([[...early, ...later]]);
  });

  it('are a crowd for each time', () => {
    const twice = [...took(3, 0), ...refused(4, 10), ...took(3, 200_000), ...refused(2, 200_010)];
    expect(crowdsOf(twice, 4).map(({ length }) => length)).toEqual([4, 2]);
  });

  it('need less where they cost more, and take as much of one another', () => {
    const dear = [entryOf(false, 10, 15, 3), entryOf(false, 11, 15, 3)];
    expect(crowdsOf([...took(2, 0), ...dear], 4)).toEqual([]);
    expect(crowdsOf([...took(1, 0), ...dear], 4)).toEqual([dear]);
  });
});

test('what a crowd shows is what may have come before any of it, but itself', () => {
  const crowd = [...refused(1, 70_000), entryOf(false, 70_000, 70_015), ...refused(1, 70_000)];
  const [early, late] = [...took(1, 70_000 - reachMs - 6), ...took(1, 70_000 - reachMs - 5)];
  const [other, beside, after] = [...refused(1, 70_005), ...took(1, 70_015), ...took(1, 70_016)];
  const entries = [early!, late!, ...crowd, other!, beside!, after!];
  expect(seenOfCrowd({ entries, windowMs }, crowd)).toEqual({
    most: [late, other, beside],
    all: [late, other, beside, ...crowd],
  });
});

const moment = fc.integer({ min: 0, max: 90 });
const drawn = fc.tuple(fc.boolean(), moment, fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 2 }));
const histories = fc.array(drawn, { maxLength: 14 });
/** A reach within which not all moments lie, and none of them at its end. */
const near = { windowMs: 38.5 };
const nearMs = windowMsAtMost(near.windowMs);

/** By its definition: all of which each needs another one of them. */
function byDefinition(entries: readonly Entry[], limit: number): readonly Entry[] {
  let left = entries.filter(isRefusal);
  for (;;) {
    const open = left;
    left = open.filter((one) => {
      const before = entries.filter(
        (entry) => !open.includes(entry) && entry.lowMs <= one.highMs && entry.highMs >= one.lowMs - nearMs,
      );
      const units = before.reduce((sum, { exchange }) => sum + (exchange.cost ?? 1), 0);
      return units < limit - (one.exchange.cost ?? 1) + 1;
    });
    if (left.length === open.length) return left;
  }
}

test('there are crowds where the definition finds some', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 8 }), (rows, limit) => {
      const entries = rows
        .map(([is, lowMs, ms, cost]) => entryOf(is, lowMs, lowMs + ms, cost))
        .sort((left, right) => left.lowMs - right.lowMs);
      const units = entries.flatMap((entry) => Array.from({ length: entry.exchange.cost ?? 1 }, () => entry));
      const crowds = unexplainedCrowds({
        limit,
        entries: units,
        refusals: entries.filter(isRefusal),
        ...near,
      });
      const expected = byDefinition(entries, limit);
      expect(crowds.length > 0).toBe(expected.length > 0);
      for (const one of crowds[0] ?? []) expect(expected).toContain(one);
    }),
    { numRuns: 2_000 },
  );
});

/** A rolling window that counts what it rejects, asked at moments that lie in the intervals of the requests. */
function answered(
  asked: readonly (readonly [ms: number, beforeMs: number, afterMs: number])[],
  limit: number,
) {
  const counted: number[] = [];
  return asked
    .toSorted(([left], [right]) => left - right)
    .map(([ms, beforeMs, afterMs]) => {
      const isAdmitted = counted.filter((at) => at > ms - windowMs).length < limit;
      counted.push(ms);
      return entryOf(isAdmitted, ms - beforeMs, ms + afterMs);
    });
}

test('what a limiter that counts rejections refuses is always explained', () => {
  const way = fc.double({ min: 0, max: 3_000, noNaN: true });
  const asked = fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 200 }).map((at) => at * 700),
      way,
      way,
    ),
    {
      maxLength: 60,
    },
  );
  fc.assert(
    fc.property(asked, fc.integer({ min: 1, max: 12 }), (moments, limit) => {
      expect(crowdsOf(answered(moments, limit), limit)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
