import type { Fit, Hints, Span } from './fit.ts';
import { inSteps, type Observations } from './observations.ts';
import { ownPhase } from './own-phase.ts';
import { fitBuckets } from './token-fit.ts';

/** Intervals at which buckets are refilled. */
const stepsMs = [1_000, 2_000, 5_000, 6_000, 7_500, 10_000, 12_000, 15_000, 20_000, 30_000] as const;

/** The longer the step, the more it explains: it is worth as much less. */
const shortestMs = stepsMs[0];

/** In fewer steps nobody fills a bucket. */
const stepsMin = 3;

/** A first burst takes a few seconds: in that time no more than one step adds to it. */
const drippedShare = 0.2;

/** How usual such buckets are, beside those into which tokens drip evenly. */
const prior = { stepped: 0.1, lossy: 0.01 } as const;

/**
 * Token buckets that are not filled evenly: many tokens at each step of the wall clock or of a clock that began with the
 * first request or before it (@upstash/ratelimit, juju/ratelimit), or whole tokens only, counted from the last admission, so that
 * each admission loses a part of one (Varnish's vsthrottle).
 */
export function fitSteppedBuckets(seen: Observations, firstBurst: number, hints: Hints): readonly Fit[] {
  const wall: Span = { lowMs: -seen.originMs, highMs: -seen.originMs };
  const first: Span = { lowMs: seen.low[0] as number, highMs: seen.high[0] as number };
  const stepped = stepsMs.flatMap((stepMs) =>
    [wall, first, ...ownPhase(seen, stepMs)]
      .filter(({ highMs }) => Number.isFinite(highMs))
      .flatMap((phase) =>
        fitBuckets(inSteps(seen, { stepMs, phase }), firstBurst, hints, { remainder: 'kept', drippedShare }),
      )
      .filter(({ lengthMs }) => lengthMs >= stepsMin * stepMs)
      .map((fit) => ({
        ...fit,
        granularityMs: stepMs,
        plausibility: prior.stepped * (shortestMs / stepMs) ** 2 * fit.plausibility,
      })),
  );
  const lossy = fitBuckets(seen, firstBurst, hints, { remainder: 'lost', drippedShare });
  return [...stepped, ...lossy.map((fit) => ({ ...fit, plausibility: prior.lossy * fit.plausibility }))];
}
