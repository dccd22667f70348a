import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rate } from './limiter.ts';
import { admissions, epochMs, moments, phases, rates } from './testing/histories.ts';
import { type Rounding, twoBucket } from './two-bucket.ts';

const roundings = fc.constantFrom<Rounding>('down', 'nearest', 'up');

type Sum = {
  /** The previous bucket's share, times `whole`. */
  readonly share: number;
  readonly current: number;
  readonly limit: number;
  readonly whole: number;
};

/** Whether there is room, without rounding, in integers. */
const rooms = {
  down: ({ share, current, limit, whole }: Sum) => share + current * whole < limit * whole,
  nearest: ({ share, current, limit, whole }: Sum) =>
    2 * share + (2 * current + 1) * whole < 2 * limit * whole,
  up: ({ share, current, limit, whole }: Sum) => share + (current + 1) * whole <= limit * whole,
};

/** A count for each bucket, by its number. */
function plainly(
  { limit, windowMs }: Rate,
  { phaseMs, rounding }: { readonly phaseMs: number; readonly rounding: Rounding },
) {
  const counts = new Map<number, number>();
  const whole = windowMs * 8;
  return (nowMs: number): boolean => {
    const sinceEighths = (nowMs - phaseMs) * 8;
    const number = Math.floor(sinceEighths / whole);
    const current = counts.get(number) ?? 0;
    const share = (counts.get(number - 1) ?? 0) * ((number + 1) * whole - sinceEighths);
    const admitted = rooms[rounding]({ share, current, limit, whole });
    if (admitted) counts.set(number, current + 1);
    return admitted;
  };
}

describe('two-bucket', () => {
  it('decides as counts per bucket do, compared without rounding', () => {
    fc.assert(
      fc.property(rates, phases, roundings, moments, (rate, phaseMs, rounding, requestsMs) => {
        const buckets = { phaseMs, rounding };
        expect(admissions(twoBucket(rate, buckets), requestsMs)).toEqual(
          requestsMs.map(plainly(rate, buckets)),
        );
      }),
    );
  });

  // 30 in the previous bucket of a minute: one place comes back every 2 s.
  it.each([
    { rounding: 'down', admittedFromMs: 1 },
    { rounding: 'nearest', admittedFromMs: 1_001 },
    { rounding: 'up', admittedFromMs: 2_000 },
  ] as const)(
    'rounding $rounding: after a full bucket the next admits from $admittedFromMs ms on',
    (example) => {
      const limiter = twoBucket({ limit: 30, windowMs: 60_000 }, { rounding: example.rounding });
      const buckets = limiter.start();
      for (let request = 0; request < 30; request += 1) limiter.decide(buckets, epochMs + 59_000);
      const boundaryMs = epochMs + 60_000;
      expect(limiter.decide(buckets, boundaryMs + example.admittedFromMs - 1).admitted).toBe(false);
      expect(limiter.decide(buckets, boundaryMs + example.admittedFromMs).admitted).toBe(true);
    },
  );

  it('is idle only once neither bucket can weigh on a window', () => {
    const limiter = twoBucket({ limit: 1, windowMs: 60_000 });
    const buckets = limiter.start();
    limiter.decide(buckets, epochMs + 30_000);
    expect(limiter.idleFromMs(buckets)).toBe(epochMs + 120_000);
    limiter.decide(buckets, epochMs + 60_000);
    expect(limiter.idleFromMs(buckets)).toBe(epochMs + 120_000);
  });

  it('holds a client that keeps sending off for longer where rejections count', () => {
    const rate = { limit: 10, windowMs: 10_000 };
    const requestsMs = [...Array(20).fill(0), 10_001, 14_000, 14_999, 17_000].map((ms) => epochMs + ms);
    const last = (counts: 'admitted' | 'all') =>
      admissions(twoBucket(rate, { counts }), requestsMs).slice(20);
    expect(last('admitted')).toEqual([true, true, true, true]);
    expect(last('all')).toEqual([false, false, false, true]);
  });
});
