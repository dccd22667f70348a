import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedWindow } from './fixed-window.ts';
import { openWindow } from './limiter.ts';
import { epochMs, moments, phases, rates } from './testing/histories.ts';

describe('fixed window on the wall clock', () => {
  it('lets twice the limit pass across a boundary', () => {
    const window = openWindow(fixedWindow({ limit: 3, windowMs: 60_000 }));
    const before = [1, 2, 3, 4].map((ms) => window.decide(epochMs - 10 + ms).admitted);
    const after = [0, 1, 2, 3].map((ms) => window.decide(epochMs + ms).admitted);
    expect([before, after]).toEqual([
      [true, true, true, false],
      [true, true, true, false],
    ]);
  });

  it('resets at the end of the minute, whenever the first request came', () => {
    const window = openWindow(fixedWindow({ limit: 1, windowMs: 60_000 }));
    expect(window.decide(epochMs + 59_000)).toEqual({
      admitted: true,
      remaining: 0,
      resetMs: epochMs + 60_000,
      retryAfterMs: 1_000,
    });
    expect(window.idleFromMs()).toBe(epochMs + 60_000);
  });

  it('admits limit requests in each window, counted by its number', () => {
    fc.assert(
      fc.property(rates, phases, moments, (rate, phaseMs, requestsMs) => {
        const window = openWindow(fixedWindow(rate, { phaseMs }));
        const seen = new Map<number, number>();
        for (const nowMs of requestsMs) {
          const number = Math.floor((nowMs - phaseMs) / rate.windowMs);
          const earlier = seen.get(number) ?? 0;
          seen.set(number, earlier + 1);
          expect(window.decide(nowMs).admitted).toBe(earlier < rate.limit);
        }
      }),
    );
  });

  it('has another name where it keeps a phase of its own', () => {
    const rate = { limit: 1, windowMs: 60_000 };
    expect(fixedWindow(rate, { phaseMs: 120_000 }).name).toBe('fixed-window-wall-clock');
    expect(fixedWindow(rate, { phaseMs: 1 }).name).toBe('fixed-window-phase');
  });

  it('is idle before its first request', () => {
    expect(openWindow(fixedWindow({ limit: 1, windowMs: 1 })).idleFromMs()).toBe(Number.NEGATIVE_INFINITY);
  });
});
