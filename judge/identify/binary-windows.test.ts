import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { fitFixedWindows } from './fixed-window-fit.ts';
import { observe } from './observations.ts';
import { burst, played } from './testing/played.ts';

/** A burst, and others that ask closely when it comes back: 9.9 s after the origin a window of 16.384 s begins, and so on. */
function found(limit: number, windowMs: number, wanted: 'explaining' | 'nearest' = 'explaining') {
  const asked = Array.from({ length: 40 }, (_, second) => 5_000 + second * 1_000);
  const sending = [0, ...burst(3_000, limit + 5), ...asked.flatMap((ms) => burst(ms, limit + 2))];
  const window = openWindow(fixedWindow({ limit, windowMs }));
  const seen = observe(played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 }));
  return fitFixedWindows(seen, {}, wanted).filter(({ lengthMs }) => lengthMs === windowMs);
}

describe('windows of a power of two milliseconds', () => {
  it('are named with what was scaled up from a usual limit', () => {
    // 20 in 10 s, and 30 in 15 s: both are kept as 33 in 16.384 s.
    const fits = found(33, 16_384);
    expect(fits.map(({ algorithm, limit }) => [algorithm, limit])).toContainEqual([
      'fixed-window-wall-clock',
      33,
    ]);
    for (const { window, boundary } of fits) {
      expect(window).toEqual({ lowMs: 16_384, highMs: 16_384 });
      expect(boundary?.lowMs).toBe(boundary?.highMs);
    }
  });

  it('are not where the limit is none that scaling gives', () => {
    // The usual lengths that are kept as 8.192 s.
    const scaled = [5, 6].map((seconds) => (set: number) => Math.round((set * 8.192) / seconds));
    const given = Array.from({ length: 60 }, (_, set) => scaled.map((of) => of(set))).flat();
    const odd = Array.from({ length: 40 }, (_, at) => at + 10).find((limit) => !given.includes(limit)) ?? 0;
    expect(found(odd, 8_192)).toEqual([]);
  });

  it('are less usual than the lengths that people set', () => {
    const [best] = found(33, 16_384);
    expect(best?.plausibility).toBeGreaterThan(0);
    expect(best?.plausibility).toBeLessThan(0.001);
  });
});
