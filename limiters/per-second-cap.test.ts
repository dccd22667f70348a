import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedWindow } from './fixed-window.ts';
import type { Limiter, Rate } from './limiter.ts';
import { perSecondCap } from './per-second-cap.ts';
import { slidingLog } from './sliding-log.ts';
import { slidingLogCountingRejections } from './sliding-log-counting-rejections.ts';
import { admissions, epochMs, moments, rates } from './testing/histories.ts';

const caps = fc.integer({ min: 1, max: 5 });

/** A second in which requests that passed are counted, in front of a limiter that is asked only then. */
function plainly<State>(limiter: Limiter<State>, perSecond: number) {
  const state = limiter.start();
  const passedMs: number[] = [];
  return (nowMs: number): boolean => {
    if (passedMs.filter((atMs) => atMs + 1_000 > nowMs).length >= perSecond) return false;
    const { admitted } = limiter.decide(state, nowMs);
    if (admitted) passedMs.push(nowMs);
    return admitted;
  };
}

describe('per-second cap', () => {
  it.each([
    ['a sliding log', slidingLog],
    ['a log counting rejections', slidingLogCountingRejections],
    ['a fixed window', (rate: Rate) => fixedWindow(rate)],
  ] as const)('counts only what passed, on %s', (_name, limiterOf) => {
    fc.assert(
      fc.property(rates, caps, moments, (rate, perSecond, requestsMs) => {
        const limiter: Limiter<unknown> = limiterOf(rate) as Limiter<unknown>;
        expect(admissions(perSecondCap(limiter, perSecond), requestsMs)).toEqual(
          requestsMs.map(plainly(limiter, perSecond)),
        );
      }),
    );
  });

  it('waits for the later of the two', () => {
    const limiter = perSecondCap(slidingLog({ limit: 3, windowMs: 60_000 }), 2);
    const state = limiter.start();
    limiter.decide(state, epochMs);
    expect(limiter.decide(state, epochMs + 100)).toEqual({
      admitted: true,
      remaining: 0,
      resetMs: epochMs + 1_000,
      retryAfterMs: 900,
    });
    expect(limiter.decide(state, epochMs + 999)).toMatchObject({ admitted: false, retryAfterMs: 1 });
    expect(limiter.decide(state, epochMs + 1_000)).toMatchObject({ admitted: true, retryAfterMs: 59_000 });
    expect(limiter.idleFromMs(state)).toBe(epochMs + 61_000);
  });

  it('keeps the name and the rate of the limiter under it', () => {
    const rate = { limit: 120, windowMs: 60_000 };
    expect(perSecondCap(slidingLog(rate), 2)).toMatchObject({ name: 'sliding-log', ...rate });
  });

  it('refuses a cap that lets nothing pass', () => {
    expect(() => perSecondCap(slidingLog({ limit: 1, windowMs: 1 }), 0)).toThrow(RangeError);
  });
});
