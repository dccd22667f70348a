import { fitCountingBuckets } from './counting-bucket-fit.ts';
import { fitFirstRequest } from './first-request-fit.ts';
import type { Fit, Hints, Wanted } from './fit.ts';
import { inWholeSeconds, type Observations } from './observations.ts';
import { shortestCountedMs } from './plausibility.ts';
import { fitBuckets } from './token-fit.ts';
import { fitTwoBuckets } from './two-bucket-fit.ts';

/** How usual a clock of whole seconds is, beside an exact one. */
const prior = { single: 0.2, counter: 0.05, behind: 0.005 } as const;

const stepMs = 1_000;

/** A clock that may be a second behind blurs the larger part of a window, and so explains the more, the shorter it is than this, ms. */
const behindFromMs = 60_000;

/** Limits that were met: by all that was admitted until the first refusal, and by a counter. */
type Limits = { readonly burst: number; readonly ofCounters: readonly number[] };

/** The classes that are known to run on a clock of whole seconds. A log that does is a log in sub-windows of a second. */
export function wholeSecondFits(
  seen: Observations,
  { burst, ofCounters }: Limits,
  hints: Hints,
  wanted: Wanted = 'nearest',
): readonly Fit[] {
  const coarse = inWholeSeconds(seen);
  const behind = fitFirstRequest(inWholeSeconds(seen, stepMs), hints);
  const counters = [
    ...fitTwoBuckets(coarse, ofCounters, hints, wanted),
    ...fitCountingBuckets(coarse, ofCounters, hints, wanted),
  ];
  const windows = [
    weighed(fitFirstRequest(coarse, hints), prior.single),
    ...counters.map((fit) => weighed(fit, prior.counter)),
    weighed(behind, prior.behind * Math.min(1, behind.lengthMs / behindFromMs)),
  ];
  // One that is full again at each second is a window of the wall clock.
  const buckets = fitBuckets(coarse, burst, hints).filter(({ lengthMs }) => lengthMs > stepMs);
  return [
    ...buckets.map((fit) => weighed(fit, prior.single)),
    ...windows.filter(({ lengthMs }) => lengthMs >= shortestCountedMs.wholeSeconds),
  ];
}

function weighed(fit: Fit, weight: number): Fit {
  return { ...fit, granularityMs: stepMs, plausibility: weight * fit.plausibility };
}
