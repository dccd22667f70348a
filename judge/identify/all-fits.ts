import { fitBegunCounters, fitBegunInSeconds } from './begun-counter-fit.ts';
import { better } from './better-fit.ts';
import { fitConcurrency } from './concurrency-fit.ts';
import { fitCountingBuckets } from './counting-bucket-fit.ts';
import { fitCountingTokens } from './counting-token-fit.ts';
import { fitBlocks } from './extend-fit.ts';
import { fitFirstRequests } from './first-request-fit.ts';
import { type Fit, type Hints, isWindowless, type Wanted } from './fit.ts';
import { fitFixedWindows, fitKeptWindows } from './fixed-window-fit.ts';
import { fitForgottenBuckets, longestPauseMs } from './forgotten-bucket-fit.ts';
import {
  counterLimitsMet,
  firstBurstOf,
  limitMetAlone,
  limitsMet,
  otherCounterLimits,
  unlikelyLimits,
} from './limits-met.ts';
import { explainingLog, fitLog, type LogModel, logModels, ownPhaseLogs } from './log-fit.ts';
import type { Observations } from './observations.ts';
import { fitPartedCounters } from './parted-counter-fit.ts';
import { fitQueue } from './queue-fit.ts';
import { returnsOf } from './returns.ts';
import { fitSmoothWindows } from './smooth-window-fit.ts';
import { fitSteppedBuckets } from './stepped-bucket-fit.ts';
import { fitBuckets } from './token-fit.ts';
import { fitTwoBuckets, fitTwoBucketsEarly } from './two-bucket-fit.ts';
import { wholeSecondFits } from './whole-second-fits.ts';

/** Whether the best of some fits contradicts nothing. */
export function isExplained([best]: readonly Fit[]): boolean {
  return best !== undefined && best.contradictedBy.length === 0;
}

/**
 * Every class of limiter at its best, with the limit that the first burst met: fewest contradictions first, then the most
 * plausible. Only a queue where nothing was refused, or nothing came back.
 */
export function likelyFits(seen: Observations, hints: Hints, wanted: Wanted = 'nearest'): readonly Fit[] {
  const queue = fitQueue(seen, hints);
  const queues = queue === null ? [] : [queue];
  if (hasNoReturn(seen)) return queues;
  const burst = firstBurstOf(seen);
  const ofCounters = counterLimitsMet(seen, hints);
  const all = [
    ...queues,
    fitConcurrency(seen),
    ...fitsWith(limitsMet(seen, hints), seen, { hints, wanted }),
    ...countersWith(limitMetAlone(seen), seen, { hints, wanted }),
    ...fitFixedWindows(seen, hints, wanted),
    ...fitKeptWindows(seen, hints, wanted),
    ...fitFirstRequests(seen, hints),
    ...fitBuckets(seen, burst, hints),
    ...fitCountingBuckets(seen, ofCounters, hints, wanted),
    ...wholeSecondFits(seen, { burst, ofCounters }, hints, wanted),
  ];
  return bestOfEach([...all, ...(isGap(all) ? [] : fitSmoothWindows(seen, hints))], hints);
}

/** Whether a gap between requests explains a trace: one that is asked evenly looks like a window for each of them, and is far more usual. */
function isGap(fits: readonly Fit[]): boolean {
  return fits.some((fit) => fit.algorithm === 'leaky-bucket' && fit.limit === 1 && isExplained([fit]));
}

/**
 * Two-bucket counters with a boundary in the midst of the first burst, which lets one more through, or one less, and whose
 * share is back early.
 */
export function earlyFits(seen: Observations, hints: Hints, wanted: Wanted = 'nearest'): readonly Fit[] {
  if (hasNoReturn(seen)) return [];
  const others = otherCounterLimits(seen);
  return [
    ...fitTwoBucketsEarly(seen, [firstBurstOf(seen), ...others], hints, wanted),
    ...fitTwoBuckets(seen, others, hints, wanted),
    ...fitBegunCounters(seen, counterLimitsMet(seen, hints), hints),
  ];
}

/** The same with other limits, where nothing explains the trace. */
export function unlikelyFits(seen: Observations, hints: Hints, wanted: Wanted = 'nearest'): readonly Fit[] {
  return hasNoReturn(seen) ? [] : fitsWith(unlikelyLimits(seen), seen, { hints, wanted });
}

/**
 * Buckets that are forgotten when nothing is asked for a while, where the fits so far explain the trace by a window that is shorter than
 * some pause in it, or not at all: a bucket that is kept explains as much, and is far more usual.
 */
export function forgottenFits(seen: Observations, beside: readonly Fit[], hints: Hints): readonly Fit[] {
  if (hasNoReturn(seen)) return [];
  const [best] = beside;
  const isWindow = best !== undefined && !isBucket(best) && !isWindowless(best);
  const isBrief = isWindow && best.lengthMs < briefMs && best.lengthMs < longestPauseMs(seen);
  return isBrief || !isExplained(beside) ? fitForgottenBuckets(seen, firstBurstOf(seen), hints) : [];
}

/** A probe asks again within longer windows than this, so nothing that is forgotten looks like one, ms. */
const briefMs = 15_000;

function isBucket({ algorithm }: Fit): boolean {
  return algorithm === 'token-bucket' || algorithm === 'leaky-bucket';
}

/** Buckets that are not filled evenly, logs in sub-windows of any phase, and counters of many parts: they take many shapes too. */
export function steppedFits(seen: Observations, hints: Hints): readonly Fit[] {
  if (hasNoReturn(seen)) return [];
  const burst = firstBurstOf(seen);
  return [
    ...fitSteppedBuckets(seen, burst, hints),
    ...fitCountingTokens(seen, hints),
    ...ownPhaseLogs(seen, burst).map((model) => fitLog(seen, model, hints)),
    ...fitPartedCounters(seen, burst, hints),
    ...fitBegunInSeconds(seen, counterLimitsMet(seen, hints), hints),
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

type How = { readonly hints: Hints; readonly wanted: Wanted };

/** The classes whose limit has to be known. */
function fitsWith(limits: readonly number[], seen: Observations, how: How): readonly Fit[] {
  return [
    ...countersWith(limits, seen, how),
    ...limits.flatMap((limit) => fitBlocks(seen, limit, how.hints)),
  ];
}

/** Those of them that count in a window. */
function countersWith(limits: readonly number[], seen: Observations, { hints, wanted }: How): readonly Fit[] {
  return [
    ...limits.flatMap(logModels).flatMap((model) => logFits(seen, model, { hints, wanted })),
    ...fitTwoBuckets(seen, limits, hints, wanted),
  ];
}

function logFits(seen: Observations, model: LogModel, { hints, wanted }: How): readonly Fit[] {
  return wanted === 'explaining' ? explainingLog(seen, model, hints) : [fitLog(seen, model, hints)];
}

/** Without a refusal nothing comes back either. */
function hasNoReturn(seen: Observations): boolean {
  return returnsOf(seen).length === 0;
}
