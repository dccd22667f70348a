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
      steps: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { minLength: 1 }),
      isTooFull: fc.boolean(),
      explains: fc.subarray(refusals),
    }),
    { minLength: 1, maxLength: 9 },
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
  return { windows, reached, explained };
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
      fc.property(drawn, fc.subarray(refusals, { minLength: 1 }), (all, judged) => {
        const isExplained = rowsFrom(0, all).some((row) =>
          judged.every((at) => row.some((place) => all[place]?.explains.includes(at))),
        );
        seen[isExplained ? 'explained' : 'open'] += 1;
        expect(isOneRow(judged, lookedAt(all))).toBe(isExplained);
      }),
      { numRuns: 5_000, seed: 2 },
    );
    const least = (seen.explained + seen.open) / 5;
    expect(Math.min(seen.explained, seen.open)).toBeGreaterThan(least);
  });

  it('are told apart by what they leave open, not one by one: there may be a million of them', () => {
    // Each two of them lead to both of the next two; the last two explain one refusal each, and neither follows the other.
    const pairs = 20;
    const ladder = Array.from({ length: 2 * pairs + 1 }, (_, place): Drawn => {
      const nextPair = 2 * Math.ceil(place / 2) + 1;
      return { next: nextPair > 2 * pairs ? [] : [nextPair, nextPair + 1], isTooFull: false, explains: [] };
    });
    const ended = [
      ...ladder.slice(0, -2),
      ...[0, 1].map((at) => ({ ...(ladder.at(-1) as Drawn), explains: [at] })),
    ];
    const asked = [[0], [1], [0, 1]];
    expect(asked.map((judged) => isOneRow(judged, lookedAt(ended)))).toEqual([true, true, false]);
  });
});
