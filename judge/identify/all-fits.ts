import { countUpTo } from '../intervals.ts';
import { better } from './better-fit.ts';
import { mostIn } from './cap.ts';
import { fitConcurrency } from './concurrency-fit.ts';
import { fitCountingBuckets } from './counting-bucket-fit.ts';
import { fitBlocks } from './extend-fit.ts';
import { fitBegunBefore, fitFirstRequest } from './first-request-fit.ts';
import type { Fit, Hints } from './fit.ts';
import { fitFixedWindows, fitKeptWindows } from './fixed-window-fit.ts';
import { fitLog, logModels, ownPhaseLogs } from './log-fit.ts';
import { inWholeSeconds, type Observations } from './observations.ts';
import { fitPartedCounters } from './parted-counter-fit.ts';
import { shortestCountedMs } from './plausibility.ts';
import { fitQueue } from './queue-fit.ts';
import { returnsOf } from './returns.ts';
import { fitSteppedBuckets } from './stepped-bucket-fit.ts';
import { fitBuckets } from './token-fit.ts';
import { fitTwoBuckets, fitTwoBucketsEarly } from './two-bucket-fit.ts';

/** Whether the best of some fits contradicts nothing. */
export function isExplained([best]: readonly Fit[]): boolean {
  return best !== undefined && best.contradictedBy.length === 0;
}

/**
 * Every class of limiter at its best, with the limit that the first burst met: fewest contradictions first, then the most
 * plausible. Only a queue where nothing was refused, or nothing came back.
 */
export function likelyFits(seen: Observations, hints: Hints): readonly Fit[] {
  const queue = fitQueue(seen, hints);
  const queues = queue === null ? [] : [queue];
  if (seen.refusals.length === 0 || returnsOf(seen).length === 0) return queues;
  const burst = firstBurstOf(seen);
  const limits = [...new Set([burst, ...perhaps(seen, burst), hints.limit ?? burst])];
  // A boundary in the midst of the first burst lets one more through.
  const counterLimits = [...new Set([...limits, Math.max(1, burst - 1), roundBelow(burst)])];
  const all = [
    ...queues,
    fitConcurrency(seen),
    ...fitsWith(limits, seen, hints),
    ...fitFixedWindows(seen, hints),
    ...fitKeptWindows(seen, hints),
    fitFirstRequest(seen, hints),
    ...fitBegunBefore(seen, hints),
    ...fitBuckets(seen, burst, hints),
    ...fitCountingBuckets(seen, counterLimits, hints),
    ...wholeSecondFits(seen, counterLimits, hints),
  ];
  return bestOfEach(all, hints);
}

/**
 * Two-bucket counters with a boundary in the midst of the first burst, which lets one more through, or one less, and whose
 * share is back early.
 */
export function earlyFits(seen: Observations, hints: Hints): readonly Fit[] {
  if (seen.refusals.length === 0 || returnsOf(seen).length === 0) return [];
  const burst = firstBurstOf(seen);
  const others = [...new Set([...neighbours(burst), roundBelow(burst)])].filter((limit) => limit !== burst);
  return [...fitTwoBucketsEarly(seen, [burst, ...others], hints), ...fitTwoBuckets(seen, others, hints)];
}

/** The same with other limits, where nothing explains the trace. */
export function unlikelyFits(seen: Observations, hints: Hints): readonly Fit[] {
  if (seen.refusals.length === 0 || returnsOf(seen).length === 0) return [];
  const burst = firstBurstOf(seen);
  return fitsWith([...neighbours(burst), mostIn(seen, 1_000)], seen, hints);
}

/** Buckets that are not filled evenly, logs in sub-windows of any phase, and counters of many parts: they take many shapes too. */
export function steppedFits(seen: Observations, hints: Hints): readonly Fit[] {
  if (seen.refusals.length === 0 || returnsOf(seen).length === 0) return [];
  const burst = firstBurstOf(seen);
  return [
    ...fitSteppedBuckets(seen, burst, hints),
    ...ownPhaseLogs(seen, burst).map((model) => fitLog(seen, model, hints)),
    ...fitPartedCounters(seen, burst, hints),
  ];
}

/** The best fit of each class, the best class first. */
export function bestOfEach(fits: readonly Fit[], hints: Hints): readonly Fit[] {
  const best = new Map<Fit['algorithm'], Fit>();
  for (const fit of fits) {
    const known = best.get(fit.algorithm);
    best.set(fit.algorithm, known === undefined ? fit : better(known, fit, hints));
  }
  const possible = [...best.values()].filter(({ plausibility }) => plausibility > 0);
  return (possible.length > 0 ? possible : [...best.values()]).sort(
    (left, right) =>
      left.contradictedBy.length - right.contradictedBy.length || right.plausibility - left.plausibility,
  );
}

/** The classes whose limit has to be known. */
function fitsWith(limits: readonly number[], seen: Observations, hints: Hints): readonly Fit[] {
  return [
    ...limits.flatMap((limit) => logModels(limit).map((model) => fitLog(seen, model, hints))),
    ...limits.flatMap((limit) => fitBlocks(seen, limit, hints)),
    ...fitTwoBuckets(seen, limits, hints),
  ];
}

/** How usual a clock of whole seconds is, beside an exact one. */
const wholeSecondPrior = { single: 0.2, counter: 0.05, behind: 0.005 } as const;

/** A clock that may be a second behind blurs the larger part of a window, and so explains the more, the shorter it is than this, ms. */
const behindFromMs = 60_000;

/** The classes that are known to run on a clock of whole seconds. A log that does is a log in sub-windows of a second. */
function wholeSecondFits(seen: Observations, limits: readonly number[], hints: Hints): readonly Fit[] {
  const coarse = inWholeSeconds(seen);
  const behind = inWholeSeconds(seen, 1_000);
  const weighed = (fits: readonly Fit[], prior: number): readonly Fit[] =>
    fits.map((fit) => ({ ...fit, granularityMs: 1_000, plausibility: prior * fit.plausibility }));
  return [
    ...weighed(
      [
        ...[fitFirstRequest(coarse, hints)].filter(
          ({ lengthMs }) => lengthMs >= shortestCountedMs.wholeSeconds,
        ),
        ...fitBuckets(coarse, firstBurstOf(seen), hints),
      ],
      wholeSecondPrior.single,
    ),
    ...weighed(
      [...fitTwoBuckets(coarse, limits, hints), ...fitCountingBuckets(coarse, limits, hints)].filter(
        ({ lengthMs }) => lengthMs >= shortestCountedMs.wholeSeconds,
      ),
      wholeSecondPrior.counter,
    ),
    ...weighed(
      [fitFirstRequest(behind, hints)]
        .filter(({ lengthMs }) => lengthMs >= shortestCountedMs.wholeSeconds)
        .map((fit) => ({
          ...fit,
          plausibility: fit.plausibility * Math.min(1, fit.lengthMs / behindFromMs),
        })),
      wholeSecondPrior.behind,
    ),
  ];
}

/** A burst across a boundary lets a few more through than the limit, which is most likely a round number. */
export function roundBelow(burst: number): number {
  return Math.max(1, Math.floor(burst / 10) * 10);
}

function neighbours(limit: number): readonly number[] {
  return [limit - 1, limit + 1].filter((one) => one >= 1);
}

/** Requests that were neither admitted nor limited may have counted: at most this many are tried. */
const perhapsMax = 4;

/** Limits that the first burst met if some of what went unanswered counted. */
function perhaps({ refusals, sentBy }: Observations, burst: number): readonly number[] {
  const more = (sentBy[refusals[0] as number] as number) - burst;
  return Array.from({ length: Math.max(0, Math.min(perhapsMax, more)) }, (_, at) => burst + at + 1);
}

/** How many were admitted until the first refusal. */
export function firstBurstOf({ refusals, high, admissions }: Observations): number {
  return Math.max(1, countUpTo(admissions.certainLow, high[refusals[0] as number] as number));
}
