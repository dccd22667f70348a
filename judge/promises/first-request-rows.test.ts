import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Window } from '../identify/first-request-windows.ts';
import { isOneRow, reachedOf } from './first-request-rows.ts';

/** What one of some windows is followed by, whether it is too full, and which refusals it explains. */
type Drawn = {
  readonly next: readonly number[];
  readonly isTooFull: boolean;
  readonly explains: readonly number[];
};

const refusals = [0, 1, 2, 3, 4];

/** Each is followed by some of the three after it. */
const drawn = fc
  .array(
    fc.record({
      steps: fc.subarray([1, 2, 3], { minLength: 1 }),
      isTooFull: fc.boolean(),
      explains: fc.subarray(refusals, { minLength: 1, maxLength: 1 }),
    }),
    { minLength: 1, maxLength: 12, size: 'max' },
  )
  .map((all) =>
    all.map(({ steps, isTooFull, explains }, place): Drawn => {
      const next = steps.map((step) => place + step).filter((later) => later < all.length);
      return { next, isTooFull: isTooFull && place % 3 === 2, explains };
    }),
  );

/** Every row of windows that may have followed each other, none of them too full, by their places. */
function rowsFrom(place: number, all: readonly Drawn[]): readonly (readonly number[])[] {
  const one = all[place] as Drawn;
  if (one.isTooFull) return [];
  return [[place], ...one.next.flatMap((later) => rowsFrom(later, all).map((row) => [place, ...row]))];
}

function lookedAt(all: readonly Drawn[]) {
  const windows = all.map(
    ({ next }, place): Window => ({ lowMs: place, highMs: place, ownFromMs: place, next: [...next] }),
  );
  const reached = reachedOf(windows, ({ lowMs }) => all[lowMs]?.isTooFull === true);
  const explained = new Map(reached.map((place) => [place, new Set(all[place]?.explains)]));
  return { reached, windows, explained };
}

describe('rows of windows', () => {
  it('reach those windows that no window that is too full comes before, or is', () => {
    fc.assert(
      fc.property(drawn, (all) => {
        const places = new Set(rowsFrom(0, all).flat());
        expect(lookedAt(all).reached).toEqual([...all.keys()].filter((place) => places.has(place)));
      }),
      { numRuns: 1_000, seed: 1 },
    );
  });

  it('explain refusals where one of them explains them all', () => {
    const seen = { explained: 0, open: 0 };
    fc.assert(
      fc.property(drawn, fc.subarray(refusals, { minLength: 1 }), (all, wished) => {
        const { windows, explained } = lookedAt(all);
        const judged = wished.filter((at) => [...explained.values()].some((own) => own.has(at)));
        const isExplained = rowsFrom(0, all).some((row) =>
          judged.every((at) => row.some((place) => all[place]?.explains.includes(at))),
        );
        if (judged.length > 0) seen[isExplained ? 'explained' : 'open'] += 1;
        expect(isOneRow(judged, { windows, explained })).toBe(isExplained);
      }),
      { numRuns: 5_000, seed: 2 },
    );
    expect(Math.min(seen.explained, seen.open)).toBeGreaterThan(0);
  });

  const one = (next: readonly number[], explains: readonly number[] = []): Drawn => {
    return { next, isTooFull: false, explains };
  };

  /** Pairs after a first one: each of a pair leads to both of the next one, and the last ones to what follows. */
  const ladder = (
    pairs: number,
    explains: (place: number) => readonly number[],
    after: readonly Drawn[] = [],
  ) => {
    const next = (place: number) => {
      const nextPair = 2 * Math.ceil(place / 2) + 1;
      return [nextPair, nextPair + 1].filter((later) => later <= 2 * pairs + after.length);
    };
    return [
      ...Array.from({ length: 2 * pairs + 1 }, (_, place) => one(next(place), explains(place))),
      ...after,
    ];
  };

  it('are told apart by what they leave open', () => {
    // Only after the second one the third does not have to explain both.
    const all = [one([1, 2]), one([3]), one([3], [0]), one([4, 5]), one([], [1]), one([], [0])];
    expect(isOneRow([0, 1], lookedAt(all))).toBe(true);
    expect(isOneRow([0, 1], lookedAt(all.with(2, one([3]))))).toBe(false);
  });

  it('are not tried one by one: there may be a million of them', () => {
    // The last two explain one refusal each, and neither follows the other.
    const all = ladder(20, (place) => (place > 38 ? [place - 39] : []));
    const asked = [[0], [1], [0, 1]];
    expect(asked.map((judged) => isOneRow(judged, lookedAt(all)))).toEqual([true, true, false]);
  });

  it('are given up where they leave open what no later one explains', () => {
    // Each of a pair explains a refusal of its own: the first pair leaves one open already.
    const all = ladder(20, (place) => [place]);
    expect(
      isOneRow(
        Array.from({ length: 40 }, (_, at) => at + 1),
        lookedAt(all),
      ),
    ).toBe(false);
  });

  it('count as possible where there are too many that leave different ones open', () => {
    const pairs = 15;
    const odd = Array.from({ length: pairs }, (_, at) => 2 * at + 1);
    // What one of each pair leaves open, the last but one of all explains; it and the last one explain what no other does, and neither follows the other.
    const ends = (last: number) => [one([], [...odd, 200]), one([], [last])];
    const all = ladder(pairs, (place) => [place], ends(100));
    expect(isOneRow([...odd, 100, 200], lookedAt(all))).toBe(true);
    const few = ladder(3, (place) => [place], ends(100));
    expect(isOneRow([1, 3, 5, 100, 200], lookedAt(few))).toBe(false);
  });
});
