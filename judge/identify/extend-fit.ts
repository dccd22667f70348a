import { countUpTo } from '../counting.ts';
import type { Fit, Hints } from './fit.ts';
import { type Demand, type Demands, sweepLengths } from './length-sweep.ts';
import type { Observations } from './observations.ts';
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
    // One alone, and free: nothing would pass in any later window.
    ...(limit > 1 ? [fitBlock(seen, { limit, algorithm: 'extend-on-reject', free: 1 }, hints)] : []),
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
  /** The first admission that was surely sent after the block was over. */
  windowFrom: number;
  /** The earliest refusal that may have begun the block: it may have come before that admission, too. */
  perhapsMs: number;
  /** The earliest refusal that came in the block, or after what ended it. */
  eitherMs: number;
  /** When the last of all refusals so far was answered. */
  lastRefusalMs: number;
};

/** What each answer asks of the length. */
function demandsOf(seen: Observations, block: Block): Demands {
  const { low, high, isAdmitted, isLimited } = seen;
  const running: Running = {
    refusal: null,
    windowFrom: 0,
    perhapsMs: Number.POSITIVE_INFINITY,
    eitherMs: Number.POSITIVE_INFINITY,
    lastRefusalMs: Number.NEGATIVE_INFINITY,
  };
  const atLeast: Demand[] = [];
  const atMost: Demand[] = [];
  low.forEach((_, at) => {
    const { refusal, eitherMs } = running;
    if (isAdmitted[at] === true && refusal !== null && (high[refusal] as number) < (low[at] as number)) {
      const sureMs = low[refusal] as number;
      // Of a block that each of them prolongs, any that surely came before says how long ago.
      const fromMs = block.algorithm === 'extend-on-reject' ? sureMs : Math.min(running.perhapsMs, sureMs);
      atMost.push({ at, ms: (high[at] as number) - fromMs });
      running.refusal = null;
      running.windowFrom = at;
      running.perhapsMs = eitherMs;
      running.eitherMs = Number.POSITIVE_INFINITY;
    }
    if (isLimited[at] !== true) return;
    askByRefusal(seen, { ...block, at, running, atLeast });
    running.lastRefusalMs = Math.max(running.lastRefusalMs, high[at] as number);
  });
  return { atLeast, atMost };
}

/** A refusal, and what came before it. */
type RefusalAt = Block & { readonly at: number; readonly running: Running; readonly atLeast: Demand[] };

/** What it asks of the length of a block. */
function askByRefusal(seen: Observations, { at, running, atLeast, ...block }: RefusalAt): void {
  const { low, high } = seen;
  const { refusal, windowFrom } = running;
  const [lowMs, beganMs] = [low[at] as number, high[windowFrom] as number];
  if (refusal !== null) {
    if (isOfEither(seen, { at, running, refusal, ...block })) {
      running.eitherMs = Math.min(running.eitherMs, lowMs);
      return;
    }
    const isProlonged = block.algorithm === 'extend-on-reject';
    atLeast.push({ at, ms: lowMs - (isProlonged ? running.lastRefusalMs : (high[refusal] as number)) });
    if (isProlonged) running.refusal = at;
    return;
  }
  if (windowFrom > 0 && lowMs <= beganMs) {
    running.perhapsMs = Math.min(running.perhapsMs, lowMs);
    return;
  }
  atLeast.push({ at, ms: windowOfMs(seen, block, at) });
  running.refusal = at;
}

/**
 * Whether a refusal may have come after the end of the block, once requests that were on their way had filled the next window.
 * The block is no longer than until their answers then, and so is the next one, which is over too where the refusal comes
 * much later.
 */
function isOfEither(
  seen: Observations,
  { at, running, refusal, ...block }: Omit<RefusalAt, 'atLeast'> & { readonly refusal: number },
): boolean {
  const filledMs = lastFilling(seen, block, at) ?? Number.NEGATIVE_INFINITY;
  const longestMs = filledMs - (seen.low[refusal] as number);
  const sinceMs = (seen.low[at] as number) - Math.max(filledMs, running.lastRefusalMs);
  return longestMs >= 0 && sinceMs < 2 * longestMs;
}

/**
 * How long a window surely lasted in which the refusal at `at` came: it had begun by the answer to each of the last ones that fill
 * it. Windows that are over before they are full follow each other without a refusal, so it need not be the first one after a
 * block. Infinite where too few came for a full one.
 */
function windowOfMs(seen: Observations, block: Block, at: number): number {
  const { admissions, low, high } = seen;
  const lowMs = low[at] as number;
  const laterMs = lastFilling(seen, block, at);
  // The very first window, with which all begins, has room for the one that is free too.
  const isTooFew = countUpTo(admissions.possibleLow, high[at] as number) < block.limit;
  if (isTooFew || laterMs === undefined) return Number.POSITIVE_INFINITY;
  // Were the very first window over by then, the second one would be longer than it.
  const isFirst = laterMs - (low[0] as number) <= lowMs - laterMs;
  return lowMs - (isFirst ? Math.min(laterMs, high[0] as number) : laterMs);
}

/** Of the requests that may have filled a window by the answer at `at`: when the first of the last ones was answered. */
function lastFilling(
  { admissions, high }: Observations,
  { limit, free }: Block,
  at: number,
): number | undefined {
  const sent = countUpTo(admissions.possibleLow, high[at] as number);
  return admissions.possibleHigh[sent - (limit - free)];
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
