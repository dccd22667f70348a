import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { minimumGap } from '../../limiters/leaky-bucket.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { firstBurstOf } from './limits-met.ts';
import { observe } from './observations.ts';
import { fitSmoothWindows } from './smooth-window-fit.ts';
import { admitted, limited } from './testing/observed.ts';
import { burst, originMs, played } from './testing/played.ts';

const latency = { latencyMs: () => 1 };

/** Four together, then one request after another: every 90 ms, so that they fall anywhere within the windows. */
const asking = [0, ...burst(3_000, 4), ...Array.from({ length: 120 }, (_, at) => 3_300 + 90 * at)];

/** What windows of their own phase admit: each begins so much after a whole second. */
function smooth(windowMs: number, { limit = 1, beginMs = 137 } = {}) {
  const window = openWindow(fixedWindow({ limit, windowMs }, { phaseMs: beginMs }));
  return observe(played((nowMs) => window.decide(nowMs).admitted, asking, latency));
}

const beginOf = (boundaryMs: number, windowMs: number): number => (originMs + boundaryMs) % windowMs;

describe('windows of one request', () => {
  it.each([500, 300, 200, 400, 1_500])('are found, %i ms long, where they begin', (windowMs) => {
    const [fit, ...others] = fitSmoothWindows(smooth(windowMs), {});
    expect(others).toEqual([]);
    expect(fit).toMatchObject({ algorithm: 'fixed-window-phase', limit: 1, lengthMs: windowMs });
    expect(fit?.contradictedBy).toEqual([]);
    const { lowMs = 0, highMs = 0 } = fit?.boundary ?? {};
    expect(beginOf(lowMs, windowMs)).toBeLessThanOrEqual((137 % windowMs) + 1);
    expect(beginOf(highMs, windowMs)).toBeGreaterThanOrEqual((137 % windowMs) - 1);
  });

  it('are found of any length that is expected', () => {
    expect(fitSmoothWindows(smooth(700), {})).toEqual([]);
    expect(fitSmoothWindows(smooth(700), { limit: 10, windowMs: 7_000 })).toMatchObject([{ lengthMs: 700 }]);
  });

  it('are not those whose next one begins with a request', () => {
    const gap = openWindow(minimumGap({ limit: 1, windowMs: 500 }));
    const seen = observe(played((nowMs) => gap.decide(nowMs).admitted, asking, latency));
    expect(fitSmoothWindows(seen, {})).toEqual([]);
  });

  it('are none where nothing comes back', () => {
    expect(fitSmoothWindows(observe([admitted(0), limited(1)]), {})).toEqual([]);
  });

  it('begin within the moments at which capacity came back', () => {
    const [fit] = fitSmoothWindows(smooth(500), {});
    // It came back within 13 ms, from 3,679 ms after the first request on: of nine equal parts of that, the middles.
    expect(fit?.boundary?.lowMs).toBeCloseTo(3_679 + 13 / 18, 6);
    expect(fit?.boundary?.highMs).toBeCloseTo(3_692 - 13 / 18, 6);
  });

  it('are found though several pass before one is refused', () => {
    const sending = [0, ...Array.from({ length: 9 }, (_, at) => 400 + 210 * at), ...asking.slice(1)];
    const window = openWindow(fixedWindow({ limit: 1, windowMs: 200 }, { phaseMs: 37 }));
    const seen = observe(played((nowMs) => window.decide(nowMs).admitted, sending, latency));
    expect(firstBurstOf(seen)).toBeGreaterThan(9);
    expect(fitSmoothWindows(seen, {})).toMatchObject([{ lengthMs: 200 }]);
  });

  it('have room for no more', () => {
    expect(fitSmoothWindows(smooth(500, { limit: 2 }), {})).toEqual([]);
  });

  it('are as usual, all lengths of them together, as a limit of one', () => {
    const [fit] = fitSmoothWindows(smooth(500), {});
    // 19 limits of a minute are looked for.
    expect(fit?.plausibility).toBeCloseTo((0.3 * 0.05) / 19, 12);
  });
});
