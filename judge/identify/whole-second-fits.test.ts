import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { wholeSeconds } from '../../limiters/whole-seconds.ts';
import { likelyFits } from './all-fits.ts';
import { fitCountingBuckets } from './counting-bucket-fit.ts';
import { fitFirstRequest } from './first-request-fit.ts';
import type { Fit, Hints } from './fit.ts';
import { inWholeSeconds, observe } from './observations.ts';
import { burst, played, type SendTimes } from './testing/played.ts';
import { fitBuckets } from './token-fit.ts';
import { fitTwoBuckets } from './two-bucket-fit.ts';
import { wholeSecondFits } from './whole-second-fits.ts';

/** Three in a window of whole seconds; the first request comes 0.45 s after a second began. */
const observed = (windowMs: number, sending: SendTimes) => {
  const window = openWindow(wholeSeconds(fixedWindowFirstRequest({ limit: 3, windowMs })));
  return observe(played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 }));
};

/** It ends 9.55 s after its first request, and then a little later than 9.75 s after. */
const ten = observed(10_000, [
  ...[0, ...burst(100, 4), 5_000, 9_300],
  ...[9_600, ...burst(9_650, 4), 15_000, 19_450, 19_700],
]);

/** Half as long, and less. */
const five = observed(5_000, [0, ...burst(100, 4), 2_000, 4_300, 4_600, ...burst(4_650, 4), 9_450, 9_700]);
const three = observed(3_000, [0, ...burst(100, 4), 1_000, 2_300, 2_600, ...burst(2_650, 4), 5_450, 5_700]);

it('a window on a clock of whole seconds is explained where an exact clock does not explain it', () => {
  expect(fitFirstRequest(ten, {}).contradictedBy).not.toEqual([]);
  const found = likelyFits(ten, {}).find(({ algorithm }) => algorithm === 'fixed-window-first-request');
  expect(found).toMatchObject({ limit: 3, lengthMs: 10_000, granularityMs: 1_000, contradictedBy: [] });
});

describe('a clock of whole seconds', () => {
  const fits = (seen: typeof ten, hints: Hints) =>
    wholeSecondFits(seen, { burst: 3, ofCounters: [3] }, hints);
  const weights = (some: readonly Fit[], share: number) =>
    some.map(({ algorithm, plausibility }) => [algorithm, expect.closeTo(share * plausibility, 14)]);
  const long = (some: readonly Fit[]) => some.filter(({ lengthMs }) => lengthMs > 4_900);

  it('is a fifth as usual as an exact one; of a counter in two buckets, or one that may be behind, far less', () => {
    const seconds = inWholeSeconds(ten);
    const behind = fitFirstRequest(inWholeSeconds(ten, 1_000), {});
    const expected = [
      ...weights(fitBuckets(seconds, 3, {}), 0.2),
      ...weights([fitFirstRequest(seconds, {})], 0.2),
      ...weights(long(fitTwoBuckets(seconds, [3], {})), 0.05),
      ...weights(long(fitCountingBuckets(seconds, [3], {})), 0.05),
      // The shorter a window is, the more of it such a clock blurs.
      ...weights([behind], (0.005 * behind.lengthMs) / 60_000),
    ];
    const found = fits(ten, {});
    expect(found.map(({ algorithm, plausibility }) => [algorithm, plausibility])).toEqual(expected);
    expect(new Set(found.map(({ granularityMs }) => granularityMs))).toEqual(new Set([1_000]));
  });

  it('counts windows of about five seconds or more', () => {
    const counted = (seen: typeof ten, hints: Hints) =>
      fits(seen, hints).filter(({ algorithm }) => !/^(token|leaky)/.test(algorithm));
    const names = (seen: typeof ten, windowMs: number) =>
      new Set(counted(seen, { windowMs }).map(({ algorithm }) => algorithm));
    expect(names(three, 3_000)).toEqual(new Set());
    expect(names(five, 4_899)).not.toContain('fixed-window-first-request');
    expect(names(five, 4_900)).toContain('fixed-window-first-request');
    expect(names(ten, 10_000)).toContain('two-bucket');
  });

  it('fills buckets of any size', () => {
    expect(fits(three, {}).map(({ algorithm }) => algorithm)).toEqual(
      expect.arrayContaining(['token-bucket', 'leaky-bucket']),
    );
  });
});

it('a bucket that is full again at each second is no bucket', () => {
  const seconds = [0, ...burst(3_100, 5), ...burst(4_600, 5), ...burst(6_100, 5), ...burst(7_600, 5)];
  const window = openWindow(fixedWindow({ limit: 3, windowMs: 1_000 }));
  const seen = observe(played((nowMs) => window.decide(nowMs).admitted, seconds, { latencyMs: () => 1 }));
  const found = wholeSecondFits(seen, { burst: 3, ofCounters: [3] }, {});
  expect(
    found.filter(({ algorithm, lengthMs }) => algorithm === 'token-bucket' && lengthMs <= 1_000),
  ).toEqual([]);
});
