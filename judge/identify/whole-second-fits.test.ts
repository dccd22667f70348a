import { describe, expect, it } from 'vitest';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { wholeSeconds } from '../../limiters/whole-seconds.ts';
import { likelyFits } from './all-fits.ts';
import { fitFirstRequest } from './first-request-fit.ts';
import { observe } from './observations.ts';
import { burst, played, type SendTimes } from './testing/played.ts';

/** Three in a window of whole seconds; the first request comes 0.45 s after a second began. */
const observed = (windowMs: number, sending: SendTimes) => {
  const window = openWindow(wholeSeconds(fixedWindowFirstRequest({ limit: 3, windowMs })));
  return observe(played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 }));
};

describe('a window on a clock of whole seconds', () => {
  it('is explained where an exact clock does not explain it', () => {
    // It ends 9.55 s after its first request, and then a little later than 9.75 s after.
    const again = [9_600, ...burst(9_650, 4), 15_000, 19_450, 19_700];
    const seen = observed(10_000, [0, ...burst(100, 4), 5_000, 9_300, ...again]);
    expect(fitFirstRequest(seen, {}).contradictedBy).not.toEqual([]);
    const found = likelyFits(seen, {}).find(({ algorithm }) => algorithm === 'fixed-window-first-request');
    expect(found).toMatchObject({ limit: 3, lengthMs: 10_000, granularityMs: 1_000, contradictedBy: [] });
  });

  it('is none where it is shorter than such a clock counts', () => {
    const again = [2_600, ...burst(2_650, 4), 4_000, 5_450, 5_700];
    const seen = observed(3_000, [0, ...burst(100, 4), 1_000, 2_300, ...again]);
    const ofSeconds = likelyFits(seen, {}).filter(({ granularityMs }) => granularityMs === 1_000);
    const short = ofSeconds.filter(({ lengthMs }) => lengthMs < 4_900).map(({ algorithm }) => algorithm);
    expect(short).not.toContain('fixed-window-first-request');
    expect(short).not.toContain('two-bucket');
    expect(short).not.toContain('two-bucket-counting-rejections');
  });
});
