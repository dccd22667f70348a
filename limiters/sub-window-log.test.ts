import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rate } from './limiter.ts';
import { slidingLog } from './sliding-log.ts';
import { subWindowLog, wholeSecondsLog } from './sub-window-log.ts';
import { admissions, epochMs, moments, phases, rates } from './testing/histories.ts';

const subWindows = fc.record({ subWindowMs: fc.integer({ min: 1, max: 600 }), phaseMs: phases });

/** A count for each sub-window, by its number. */
function plainly(
  { limit, windowMs }: Rate,
  { subWindowMs, phaseMs }: { readonly subWindowMs: number; readonly phaseMs: number },
) {
  const counts = new Map<number, number>();
  return (nowMs: number): boolean => {
    let inside = 0;
    for (const [number, count] of counts) {
      if (phaseMs + (number + 1) * subWindowMs > nowMs - windowMs) inside += count;
    }
    const current = Math.floor((nowMs - phaseMs) / subWindowMs);
    if (inside < limit) counts.set(current, (counts.get(current) ?? 0) + 1);
    return inside < limit;
  };
}

describe('sub-window log', () => {
  it('decides as counts per sub-window do', () => {
    fc.assert(
      fc.property(rates, subWindows, moments, (rate, grid, requestsMs) => {
        expect(admissions(subWindowLog(rate, grid), requestsMs)).toEqual(requestsMs.map(plainly(rate, grid)));
      }),
    );
  });

  it('never admits more than the limit in any window', () => {
    fc.assert(
      fc.property(rates, subWindows, moments, (rate, grid, requestsMs) => {
        const admitted = admissions(subWindowLog(rate, grid), requestsMs);
        const admittedMs = requestsMs.filter((_, index) => admitted[index]);
        expect(admissions(slidingLog(rate), admittedMs)).not.toContain(false);
      }),
    );
  });

  it('gives back what one sub-window held all at once', () => {
    const limiter = subWindowLog({ limit: 3, windowMs: 60_000 }, { subWindowMs: 10_000 });
    const log = limiter.start();
    for (const atMs of [2_000, 9_999, 10_000]) limiter.decide(log, epochMs + atMs);
    expect(limiter.decide(log, epochMs + 69_999)).toEqual({
      admitted: false,
      remaining: 0,
      resetMs: epochMs + 70_000,
      retryAfterMs: 1,
    });
    expect(limiter.decide(log, epochMs + 70_000)).toMatchObject({ admitted: true, remaining: 1 });
    expect(limiter.idleFromMs(log)).toBe(epochMs + 140_000);
  });

  it.each([0, -1, Number.NaN])('refuses sub-windows of %d ms', (subWindowMs) => {
    expect(() => subWindowLog({ limit: 1, windowMs: 1 }, { subWindowMs })).toThrow(RangeError);
  });

  it('refuses a phase that is nowhere', () => {
    const grid = { subWindowMs: 1, phaseMs: Number.POSITIVE_INFINITY };
    expect(() => subWindowLog({ limit: 1, windowMs: 1 }, grid)).toThrow(RangeError);
  });
});

const wholeSecondRates = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  windowMs: fc.integer({ min: 1, max: 5 }).map((seconds) => seconds * 1_000),
});

/** A list of Unix times in seconds; one leaves when the clock's second is more than the window later. */
function inWholeSeconds({ limit, windowMs }: Rate) {
  let seconds: readonly number[] = [];
  return (nowMs: number): boolean => {
    const now = Math.floor(nowMs / 1_000);
    seconds = seconds.filter((at) => now - at <= windowMs / 1_000);
    const admitted = seconds.length < limit;
    if (admitted) seconds = [...seconds, now];
    return admitted;
  };
}

describe('whole-seconds log', () => {
  it('decides as a log of truncated timestamps does', () => {
    fc.assert(
      fc.property(wholeSecondRates, moments, (rate, requestsMs) => {
        expect(admissions(wholeSecondsLog(rate), requestsMs)).toEqual(requestsMs.map(inWholeSeconds(rate)));
      }),
    );
  });

  it('holds a place between the window and a second more', () => {
    const inSecond = fc.integer({ min: 0, max: 7_999 }).map((eighths) => eighths / 8);
    fc.assert(
      fc.property(inSecond, (atMs) => {
        const limiter = wholeSecondsLog({ limit: 1, windowMs: 60_000 });
        const { resetMs } = limiter.decide(limiter.start(), epochMs + atMs);
        expect(resetMs).toBe(epochMs + 61_000);
        expect(resetMs - epochMs - atMs).toBeGreaterThan(60_000);
        expect(resetMs - epochMs - atMs).toBeLessThanOrEqual(61_000);
      }),
    );
  });
});
