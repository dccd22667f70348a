import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryMs } from './limiter.ts';
import { epochMs } from './testing/histories.ts';

describe('grid', () => {
  it.each([
    { phaseMs: 0, nowMs: epochMs, startMs: epochMs },
    { phaseMs: 0, nowMs: epochMs + 59_999.999, startMs: epochMs },
    { phaseMs: 12_345, nowMs: epochMs + 12_344, startMs: epochMs - 47_655 },
    { phaseMs: 12_345, nowMs: epochMs + 12_345, startMs: epochMs + 12_345 },
    { phaseMs: -1, nowMs: 0, startMs: -1 },
  ])('of a minute at $phaseMs: $nowMs is in the one from $startMs', ({ phaseMs, nowMs, startMs }) => {
    expect(boundaryMs({ periodMs: 60_000, phaseMs }, nowMs)).toBe(startMs);
  });

  // In both, the quotient rounds across an integer.
  it.each([
    { phaseMs: 31_899.224113144708, periodMs: 80_996.53193359023, nowMs: 1_570_312_195_108.5112 },
    { phaseMs: 0, periodMs: 58_472.97382600519, nowMs: 396_900_220_452.3358 },
  ])('keeps $nowMs in its own period, where division rounds', ({ nowMs, ...grid }) => {
    const startMs = boundaryMs(grid, nowMs);
    expect(startMs).toBeLessThanOrEqual(nowMs);
    expect(startMs + grid.periodMs).toBeGreaterThan(nowMs);
  });

  it('never puts a moment outside its own period', () => {
    const periods = fc.double({ min: 0.1, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(periods, fc.integer({ min: 0, max: 1_000_000 }), (periodMs, number) => {
        const nowMs = epochMs + number * periodMs;
        for (const phaseMs of [0, epochMs, -periodMs / 3]) {
          const startMs = boundaryMs({ periodMs, phaseMs }, nowMs);
          expect(startMs).toBeLessThanOrEqual(nowMs);
          expect(startMs + periodMs).toBeGreaterThan(nowMs);
        }
      }),
    );
  });
});
