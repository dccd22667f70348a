import { describe, expect, it } from 'vitest';
import { openWindow } from '../../limiters/limiter.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { inSteps } from '../../limiters/whole-seconds.ts';
import { observe } from './observations.ts';
import { fitSteppedBuckets } from './stepped-bucket-fit.ts';
import { admitted, limited, unanswered } from './testing/observed.ts';
import { burst, originMs, played } from './testing/played.ts';
import { fitBuckets } from './token-fit.ts';

const early = [0, ...burst(500, 36), 3_000, 4_000, 4_900, 5_100, 5_600, 6_200, 7_000, 9_000, 9_800, 10_600];
const late = [11_300, 15_000, 15_600, 16_000, 20_000, 20_600, 21_000, ...burst(40_000, 30), 60_000];

/** What a bucket of thirty in 30 s answers that is refilled every 5 s, so long after the whole minute. */
const observed = (phaseMs: number) => {
  const window = openWindow(
    inSteps(tokenBucket({ limit: 30, windowMs: 30_000 }), { stepMs: 5_000, phaseMs }),
  );
  const sending = [...early, ...late, ...burst(61_000, 16)];
  return observe(played((nowMs) => window.decide(nowMs).admitted, sending, { latencyMs: () => 1 }));
};

const explaining = (phaseMs: number) =>
  fitSteppedBuckets(observed(phaseMs), 30, {}).filter(({ contradictedBy }) => contradictedBy.length === 0);

describe('a bucket that is refilled every five seconds', () => {
  it.each([
    ['by the wall clock', 0],
    ['from the first request on', (originMs + 1) % 5_000],
    ['from some moment before it on', 3_300],
  ])('is explained where it is refilled %s', (_when, phaseMs) => {
    const found = explaining(phaseMs).filter(({ granularityMs }) => granularityMs === 5_000);
    expect(found).toContainEqual(
      expect.objectContaining({ algorithm: 'token-bucket', limit: 30, lengthMs: 30_000 }),
    );
  });

  it('is explained by other steps too, of which a window has at least three', () => {
    const steps = explaining(0).map(({ granularityMs = 0 }) => granularityMs);
    expect(Math.max(...steps)).toBe(10_000);
  });

  it('is worth the less the longer the step is', () => {
    const worth = (stepMs: number) =>
      explaining(0).find(({ granularityMs }) => granularityMs === stepMs)?.plausibility ?? Number.NaN;
    expect(worth(1_000) / worth(2_000)).toBeCloseTo(4, 2);
    expect(worth(1_000) / worth(5_000)).toBeCloseTo(25, 2);
    expect(worth(1_000)).toBeLessThan(0.1);
  });
});

it('no step begins with a first request that was not answered', () => {
  const thirty = (ms: number) => burst(ms, 30).map((sentMs) => admitted(sentMs));
  const trace = [unanswered(0), ...thirty(1_000), limited(1_040), limited(500_000), ...thirty(540_010)];
  const found = fitSteppedBuckets(observe([...trace, limited(540_050)]), 30, {});
  expect(found.filter(({ contradictedBy }) => contradictedBy.length === 0)).toEqual([]);
  expect(found.filter(({ window }) => Number.isNaN(window.lowMs + window.highMs))).toEqual([]);
});

it('a bucket that loses what is left of a token is a hundredth as usual as what explains it', () => {
  const seen = observed(3_300);
  const drips = { remainder: 'lost', drippedShare: 0.2 } as const;
  const lossy = fitBuckets(seen, 30, {}, drips).map(({ plausibility }) => 0.01 * plausibility);
  const found = fitSteppedBuckets(seen, 30, {}).filter(({ granularityMs }) => granularityMs === undefined);
  expect(found.map(({ plausibility }) => plausibility)).toEqual(lossy);
});
