import { countUpTo } from '../intervals.ts';
import type { Fit, Hints, Span } from './fit.ts';
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
  /** What was answered before this is of no window since. */
  sinceMs: number;
  /** The earliest refusal that may have begun the block: it may have come before that admission, too. */
  perhapsMs: number;
  /** From the first to the last of those that came in the block, or after what ended it. */
  either: Span | null;
};

/** What each answer asks of the length. */
function demandsOf(seen: Observations, block: Block): Demands {
  const { low, high, isAdmitted, isLimited } = seen;
  const running: Running = {
    refusal: null,
    windowFrom: 0,
    sinceMs: low[0] as number,
    perhapsMs: Number.POSITIVE_INFINITY,
    either: null,
  };
  const nextAdmittedMs = nextAdmitted(seen);
  const atLeast: Demand[] = [];
  const atMost: Demand[] = [];
  low.forEach((_, at) => {
    const { refusal, either } = running;
    if (isAdmitted[at] === true && refusal !== null && (high[refusal] as number) < (low[at] as number)) {
      const sureMs = low[refusal] as number;
      // Of a block that each of them prolongs, any that surely came before says how long ago.
      const fromMs = block.algorithm === 'extend-on-reject' ? sureMs : Math.min(running.perhapsMs, sureMs);
      atMost.push({ at, ms: (high[at] as number) - fromMs });
      const perhapsMs =
        either !== null && either.highMs >= (low[at] as number) ? either.lowMs : Number.POSITIVE_INFINITY;
      Object.assign(running, { refusal: null, windowFrom: at, sinceMs: sureMs, perhapsMs, either: null });
    }
    if (isLimited[at] === true) refused(seen, { ...block, at, running, nextAdmittedMs, atLeast });
  });
  return { atLeast, atMost };
}

/** By position: when the next one that was admitted was sent. */
function nextAdmitted({ low, isAdmitted }: Observations): Float64Array {
  let nextMs = Number.POSITIVE_INFINITY;
  const next = new Float64Array(low.length);
  for (let at = low.length - 1; at >= 0; at -= 1) {
    next[at] = nextMs;
    if (isAdmitted[at] === true) nextMs = low[at] as number;
  }
  return next;
}

type Refused = Block & {
  readonly at: number;
  readonly running: Running;
  readonly nextAdmittedMs: Float64Array;
  readonly atLeast: Demand[];
};

function refused(seen: Observations, { at, running, nextAdmittedMs, atLeast, ...block }: Refused): void {
  const { low, high } = seen;
  const { refusal, windowFrom, either } = running;
  const [lowMs, beganMs] = [low[at] as number, high[windowFrom] as number];
  if (refusal !== null) {
    // What was admitted while this one was on its way may have ended the block, and filled the next window, before it.
    const filledMs = lastFilling(seen, block, at) ?? Number.NEGATIVE_INFINITY;
    if (filledMs >= (nextAdmittedMs[at] as number)) {
      running.either = {
        lowMs: either?.lowMs ?? lowMs,
        highMs: Math.max(either?.highMs ?? 0, high[at] as number),
      };
      return;
    }
    atLeast.push({ at, ms: lowMs - (high[refusal] as number) });
    if (block.algorithm === 'extend-on-reject') running.refusal = at;
    return;
  }
  if (windowFrom > 0 && lowMs <= beganMs) {
    running.perhapsMs = Math.min(running.perhapsMs, lowMs);
    return;
  }
  const fullFromMs = fullFrom(seen, block, { at, running });
  atLeast.push({ at, ms: fullFromMs === null ? Number.POSITIVE_INFINITY : lowMs - fullFromMs });
  running.refusal = at;
}

/**
 * When the window that a refusal met had begun, at the latest: by the answer to each of the last ones that fill it. It need not
 * have begun with `windowFrom`: windows that are over before they are full follow each other without a refusal. `null` where
 * too few came for a full one.
 */
function fullFrom(
  seen: Observations,
  block: Block,
  { at, running }: Pick<Refused, 'at' | 'running'>,
): number | null {
  const { admissions, low, high } = seen;
  // None but the very first window has a request that is free.
  const isFirstOfAll = running.windowFrom === 0;
  const isTooFew = isFirstOfAll && countUpTo(admissions.possibleLow, high[at] as number) < block.limit;
  const laterMs = isTooFew ? undefined : lastFilling(seen, block, at);
  if (laterMs === undefined || laterMs < running.sinceMs) return null;
  // Were the first window over by then, the second one would be longer than it.
  const isFirst = isFirstOfAll && laterMs - running.sinceMs <= (low[at] as number) - laterMs;
  return isFirst ? Math.min(laterMs, high[0] as number) : laterMs;
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
