import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Demands, isMet, sweepLengths } from './length-sweep.ts';

const infinite = Number.POSITIVE_INFINITY;

/** Demands by their lengths, at positions 0, 1, 2 … in the order given. */
const asked = (atLeast: readonly number[], atMost: readonly number[]): Demands => ({
  atLeast: atLeast.map((ms, at) => ({ at, ms })),
  atMost: atMost.map((ms, at) => ({ at: atLeast.length + at, ms })),
});

describe('the lengths that meet the most demands', () => {
  it.each([
    ['between those of all', asked([3, 1], [9, 5]), [3, 5], []],
    ['one alone', asked([4], [4]), [4, 4], []],
    ['without an end where nothing bounds them', asked([2], []), [2, infinite], []],
    ['from 0 where nothing asks for more', asked([], [7]), [0, 7], []],
    ['any', asked([], []), [0, infinite], []],
    ['all but one that is too long', asked([8, 2], [3, 5]), [2, 3], [0]],
    ['all but one that is too short', asked([4, 6], [3, 8, 9]), [6, 8], [2]],
    ['the first of two that meet as many', asked([2, 6], [4, 8]), [2, 4], [1]],
    ['all but one that nothing meets', asked([infinite, 2], [5]), [2, 5], [0]],
    ['the same where several ask for as much', asked([infinite, 2, 2], [5, 5]), [2, 5], [0]],
    ['that one alone where two of them meet', asked([5, 6, 6, infinite], [6]), [6, 6], [3]],
    ['that one alone, of 0, where another one asks for less', asked([infinite], [1, 0]), [0, 0], [0]],
    ['that one alone, of 0, though one asks for less', asked([infinite], [-1, 0]), [0, 0], [0, 1]],
    ['that one alone, where most ask for it', asked([5, 5], [5, 5, 3]), [5, 5], [4]],
    ['beyond all where most ask for more', asked([4, 5, 6], [3]), [6, infinite], [3]],
    ['all but one that asks for less than none', asked([], [-1, 5]), [0, 5], [0]],
    ['any, where no length meets the one demand', asked([infinite], []), [0, infinite], [0]],
  ])('%s', (_, demands, [lowMs, highMs], contradictedBy) => {
    expect(sweepLengths(demands)).toEqual({ span: { lowMs, highMs }, contradictedBy });
    expect(isMet(demands)).toBe(contradictedBy.length === 0);
  });

  it('names each exchange once, in order', () => {
    const demands = {
      atLeast: [
        { at: 7, ms: 90 },
        { at: 3, ms: 80 },
        { at: 7, ms: 70 },
      ],
      atMost: Array.from({ length: 5 }, (_, at) => ({ at: 10 + at, ms: 50 })),
    };
    expect(sweepLengths(demands)).toEqual({ span: { lowMs: 0, highMs: 50 }, contradictedBy: [3, 7] });
  });

  it('leave no fewer demands unmet than any other length does', () => {
    const lengths = fc.array(fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(infinite)), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(lengths, lengths, fc.integer({ min: 0, max: 26 }), (atLeast, atMost, half) => {
        const { span, contradictedBy } = sweepLengths(asked(atLeast, atMost));
        const unmet = (ms: number) =>
          atLeast.filter((one) => one > ms).length + atMost.filter((one) => one < ms).length;
        expect(contradictedBy.length).toBeLessThanOrEqual(unmet(half / 2));
        const insideMs = span.highMs === infinite ? span.lowMs : (span.lowMs + span.highMs) / 2;
        expect(contradictedBy).toHaveLength(unmet(insideMs));
      }),
      { seed: 5 },
    );
  });
});
