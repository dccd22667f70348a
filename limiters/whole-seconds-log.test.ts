import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rate } from './limiter.ts';
import { admissions, epochMs, moments } from './testing/histories.ts';
import { wholeSecondsLog } from './whole-seconds-log.ts';

const wholeSecondRates = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  windowMs: fc.integer({ min: 1, max: 5 }).map((seconds) => seconds * 1_000),
});

/** A list of Unix times in seconds; one leaves when the clock's second is more than the window later. */
function plainly({ limit, windowMs }: Rate) {
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
        expect(admissions(wholeSecondsLog(rate), requestsMs)).toEqual(requestsMs.map(plainly(rate)));
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
