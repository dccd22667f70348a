import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shifts } from './latency-shifts.ts';

const noisy = (level: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => level + (at % 7));

describe('shifts', () => {
  it('names the first run of a lasting shift, in either direction', () => {
    expect(shifts([...noisy(10, 30), ...noisy(20, 20)]).map(({ at }) => at)).toEqual([30]);
    expect(shifts([...noisy(20, 30), ...noisy(10, 20)]).map(({ at }) => at)).toEqual([30]);
  });

  it('says nothing of single slow runs, of a shift that is too new, or of too short a history', () => {
    expect(shifts([...noisy(10, 30), 500, ...noisy(10, 10), 900, 900])).toEqual([]);
    expect(shifts([...noisy(10, 30), ...noisy(20, 6)])).toEqual([]);
    expect(shifts([...noisy(10, 10), ...noisy(20, 10)])).toEqual([]);
  });

  it('counts runs that have no figure neither way', () => {
    expect(
      shifts([...noisy(10, 30), null, ...noisy(20, 4), null, ...noisy(20, 4)]).map(({ at }) => at),
    ).toEqual([31]);
  });

  it('calls noise of any shape a shift in fewer than one history in a thousand', () => {
    const drawn = fc.sample(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 60, maxLength: 60 }),
      {
        numRuns: 2_000,
        seed: 5,
      },
    );
    expect(drawn.filter((values) => shifts(values).length > 0).length).toBeLessThanOrEqual(2);
  });
});
