import { greatestOf } from '../../contract/extremes.ts';
import type { Fit, Hints } from './fit.ts';
import { type Demand, sweepLengths } from './length-sweep.ts';
import { certainIn, type Observations, possibleIn } from './observations.ts';
import { likeliestMs, limitPlausibility, windowPlausibility } from './plausibility.ts';

/** How usual such limiters are: those that every rejection prolongs, and those that only the first one begins. */
const prior = { 'extend-on-reject': 0.5, 'block-on-reject': 0.3 } as const;

/** How usual it is that the very first request does not count. */
const freePrior = 0.2;

/**
 * Windows that rejections begin: every one anew, or only the first of a block. The very first request may only make the
 * entry that counts all others (Apache's mod_evasive): one more passes in the first window than in any other.
 */
export function fitBlocks(seen: Observations, limit: number, hints: Hints): readonly Fit[] {
  return [
    fitBlock(seen, { limit, algorithm: 'extend-on-reject', free: 0 }, hints),
    fitBlock(seen, { limit, algorithm: 'extend-on-reject', free: 1 }, hints),
    fitBlock(seen, { limit, algorithm: 'block-on-reject', free: 0 }, hints),
  ];
}

/** `limit` is that of the first window, in which so many are `free`. */
type Block = { readonly limit: number; readonly algorithm: keyof typeof prior; readonly free: 0 | 1 };

/**
 * After a rejection nothing is admitted until a whole window has gone by, without another rejection where each of them
 * prolongs the block. Each refusal asks that the window reaches back to the one before it, or to the first of its
 * block, or to the first request of a full window; each admission after a refusal, that it does not.
 */
function fitBlock(seen: Observations, { limit, algorithm, free }: Block, hints: Hints): Fit {
  const { count, low, high, isAdmitted, isLimited } = seen;
  const isProlonged = algorithm === 'extend-on-reject';
  const atLeast: Demand[] = [];
  const atMost: Demand[] = [];
  /** The refusal from which the block runs. */
  let latestRefusal: number | null = null;
  let windowFrom = 0;
  for (let at = 0; at < count; at += 1) {
    if (
      isAdmitted[at] === true &&
      latestRefusal !== null &&
      (high[latestRefusal] as number) < (low[at] as number)
    ) {
      atMost.push({ at, ms: (high[at] as number) - (low[latestRefusal] as number) });
      windowFrom = at;
      latestRefusal = null;
    }
    if (isLimited[at] !== true) continue;
    if (latestRefusal !== null) {
      atLeast.push({ at, ms: (low[at] as number) - (high[latestRefusal] as number) });
    } else {
      const fromMs = low[windowFrom] as number;
      const possible = possibleIn(seen.admissions, fromMs, high[at] as number);
      const reachMs = (low[at] as number) - (high[windowFrom] as number);
      const full = windowFrom === 0 ? limit : limit - free;
      atLeast.push({ at, ms: possible < full ? Number.POSITIVE_INFINITY : reachMs });
    }
    if (isProlonged || latestRefusal === null) latestRefusal = at;
  }
  const swept = sweepLengths({ atLeast, atMost });
  const overfull = overfullWindows(seen, limit);
  const named = rounder(limit, limit - free, hints);
  return {
    algorithm,
    limit: named,
    window: swept.span,
    lengthMs: likeliestMs(swept.span, hints),
    rejectionsCount: isProlonged,
    contradictedBy: [...new Set([...swept.contradictedBy, ...overfull])],
    plausibility:
      prior[algorithm] *
      (free === 0 ? 1 : freePrior) *
      windowPlausibility(swept.span, hints) *
      limitPlausibility(named, hints),
  };
}

/** Which of two limits is the likelier setting; the first where both are. */
function rounder(limit: number, other: number, hints: Hints): number {
  return limitPlausibility(other, hints) > limitPlausibility(limit, hints) ? other : limit;
}

/** Last admissions of bursts that surely let more pass than the limit before their first refusal. */
function overfullWindows(seen: Observations, limit: number): readonly number[] {
  const { refusals, low, high, isAdmitted } = seen;
  const over: number[] = [];
  let fromMs = Number.NEGATIVE_INFINITY;
  for (const at of refusals) {
    const certain = certainIn(seen.admissions, fromMs, low[at] as number);
    for (let more = limit; more < certain; more += 1) over.push(at);
    fromMs = low[at] as number;
  }
  const rest = isAdmitted.findIndex((admitted, at) => admitted && (low[at] as number) > fromMs);
  if (rest === -1) return over;
  const certain = certainIn(seen.admissions, fromMs, greatestOf(high.filter(Number.isFinite)) + 1);
  return certain > limit ? [...over, rest] : over;
}
