import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Interval, intervalChanges } from './window-changes.ts';

const around = (ms: number, uncertainMs = 50): Interval => ({
  low: ms - uncertainMs,
  high: ms + uncertainMs,
});
const nights = (count: number, ms: number): readonly Interval[] =>
  Array.from({ length: count }, () => around(ms));

describe('intervalChanges', () => {
  it('names the run whose interval has nothing in common with those before', () => {
    const changes = intervalChanges([...nights(10, 60_000), ...nights(3, 60_400)]);
    expect(changes).toEqual([{ at: 10, after: 9, from: around(60_000), to: around(60_400) }]);
  });

  it('says in which runs the change can have come, where the runs before it were too imprecise to show it', () => {
    const wide = around(60_200, 2_000);
    const changes = intervalChanges([...nights(10, 60_000), wide, null, wide, ...nights(1, 60_400)]);
    expect(changes).toMatchObject([{ at: 13, after: 9 }]);
  });

  it('takes runs that differ by less than a second for one limiter that counts in whole seconds', () => {
    const phases = [60_100, 60_900, 60_400, 60_700, 60_050, 60_800, 60_300, 60_950];
    expect(intervalChanges(phases.map((ms) => around(ms)))).toEqual([]);
  });

  it('knows a return as well as a change', () => {
    const changes = intervalChanges([...nights(6, 60_000), ...nights(6, 61_500), ...nights(6, 60_000)]);
    expect(changes.map(({ at }) => at)).toEqual([6, 12]);
  });

  it('never calls it a change when one length lies in every interval', () => {
    const night = fc.record({ below: fc.nat(3_000), above: fc.nat(3_000) });
    fc.assert(
      fc.property(fc.array(fc.option(night), { maxLength: 80 }), (drawn) => {
        const intervals = drawn.map((one) => one && { low: 60_000 - one.below, high: 60_000 + one.above });
        expect(intervalChanges(intervals)).toEqual([]);
      }),
      { seed: 1 },
    );
  });
});
