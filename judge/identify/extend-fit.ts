import type { Fit, Hints } from './fit.ts';
import { type Demand, type Demands, sweepLengths } from './length-sweep.ts';
import { type Observations, possibleIn } from './observations.ts';
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
  const { atLeast, atMost } = demandsOf(seen, { limit, algorithm, free });
  const swept = sweepLengths({ atLeast, atMost: [...atMost, ...overfullDemands(seen, limit)] });
  const named = rounder(limit, limit - free, hints);
  return {
    algorithm,
    limit: named,
    window: swept.span,
    lengthMs: likeliestMs(swept.span, hints),
    rejectionsCount: algorithm === 'extend-on-reject',
    contradictedBy: swept.contradictedBy,
    plausibility:
      prior[algorithm] *
      (free === 0 ? 1 : freePrior) *
      windowPlausibility(swept.span, hints) *
      limitPlausibility(named, hints),
  };
}

/** The block or the window that runs while requests are gone through in the order of sending. */
type Running = {
  /** The refusal from which the block runs. */
  refusal: number | null;
  /** The admission that began the window. */
  windowFrom: number;
  /** The earliest refusal that may have begun the block: it may have come before that admission, too. */
  perhapsMs: number;
};

/** What each answer asks of the length. */
function demandsOf(seen: Observations, block: Block): Demands {
  const { low, high, isAdmitted, isLimited } = seen;
  const running: Running = { refusal: null, windowFrom: 0, perhapsMs: Number.POSITIVE_INFINITY };
  const atLeast: Demand[] = [];
  const atMost: Demand[] = [];
  low.forEach((_, at) => {
    const { refusal } = running;
    if (isAdmitted[at] === true && refusal !== null && (high[refusal] as number) < (low[at] as number)) {
      const fromMs = Math.min(running.perhapsMs, low[refusal] as number);
      atMost.push({ at, ms: (high[at] as number) - fromMs });
      Object.assign(running, { refusal: null, windowFrom: at, perhapsMs: Number.POSITIVE_INFINITY });
    }
    if (isLimited[at] === true) refused(seen, { ...block, at, running, atLeast });
  });
  return { atLeast, atMost };
}

type Refused = Block & { readonly at: number; readonly running: Running; readonly atLeast: Demand[] };

function refused(seen: Observations, { at, running, atLeast, limit, algorithm, free }: Refused): void {
  const { low, high } = seen;
  const { refusal, windowFrom } = running;
  const [lowMs, beganMs] = [low[at] as number, high[windowFrom] as number];
  if (refusal !== null) {
    atLeast.push({ at, ms: lowMs - (high[refusal] as number) });
    if (algorithm === 'extend-on-reject') running.refusal = at;
    return;
  }
  if (windowFrom > 0 && lowMs <= beganMs) {
    running.perhapsMs = Math.min(running.perhapsMs, lowMs);
    return;
  }
  const possible = possibleIn(seen.admissions, low[windowFrom] as number, high[at] as number);
  const full = windowFrom === 0 ? limit : limit - free;
  atLeast.push({ at, ms: possible < full ? Number.POSITIVE_INFINITY : lowMs - beganMs });
  running.refusal = at;
}

/** Which of two limits is the likelier setting; the first where both are. */
function rounder(limit: number, other: number, hints: Hints): number {
  return limitPlausibility(other, hints) > limitPlausibility(limit, hints) ? other : limit;
}

/**
 * What the first window asks of the length where more than the limit were surely admitted in it: that it was over by then. Of
 * later windows it is not known which request began them.
 */
function overfullDemands({ admissions, low, refusals }: Observations, limit: number): readonly Demand[] {
  const [first] = refusals;
  const overMs = admissions.certainHigh[limit];
  if (first === undefined || overMs === undefined || overMs >= (low[first] as number)) return [];
  return [{ at: first, ms: overMs - (low[0] as number) }];
}
