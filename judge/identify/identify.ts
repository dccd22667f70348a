import {
  bestOfEach,
  earlyFits,
  forgottenFits,
  isExplained,
  likelyFits,
  steppedFits,
  unlikelyFits,
} from './all-fits.ts';
import type { Cap } from './cap.ts';
import { type Explanation, explanation, type Searches, tiedOf } from './explanation.ts';
import { type Fit, type Hints, isWindowless, type Wanted } from './fit.ts';
import { lookedAt } from './looked-at.ts';
import { type Observations, type ObservedRequest, observe } from './observations.ts';
import { isOddLimit, limitsOvershot, withoutSurplus } from './overshoot.ts';
import { underLimit, underShorterWindow } from './stacked.ts';
import { takenBefore, takenBeforePrior, withTakenBefore } from './taken-before.ts';
import { secondMs } from './under-cap.ts';

/** What explains a trace, as far as its times tell. */
export type Identified = {
  readonly observations: Observations;
  /**
   * Every class that contradicts nothing, at its best, the likeliest first; where there is none, every class as near as it
   * comes. Empty where nothing was ever refused or nothing came back.
   */
  readonly fits: readonly Fit[];
  /** Those of them that contradict nothing and are about as likely as the first. */
  readonly tied: readonly Fit[];
  /** A limit on a shorter time on top of these. */
  readonly cap: Cap | null;
};

/**
 * Which limiters explain the requests of one key. Status codes alone: who was admitted and who was limited, each decided
 * somewhere between sending and answer.
 */
export function identify(trace: readonly ObservedRequest[], hints: Hints = {}): Identified {
  const told = lookedAt(trace);
  const before = remembered.find((one) => isSame(one, told, hints));
  if (before !== undefined) return before.found;
  const found = identifiedAnew(told, hints);
  // A trace that is not looked at whole is asked about once.
  if (told === trace) remember({ told: [...told], hints, found });
  return found;
}

type Known = {
  /** A copy: what is asked about next may be the same list, grown. */
  readonly told: readonly ObservedRequest[];
  readonly hints: Hints;
  readonly found: Identified;
};

/** A run identifies no more of any usual document. */
export const rememberedMax = 16;

/** What was identified last: a run asks about its requests when it plans, when it ends and when it reports. */
const remembered: Known[] = [];

/** The oldest is forgotten: of a thousand keys all of them would take more than their requests. */
function remember(known: Known): void {
  remembered.push(known);
  if (remembered.length > rememberedMax) remembered.shift();
}

function isSame(known: Known, told: readonly ObservedRequest[], { limit, windowMs }: Hints): boolean {
  return (
    known.hints.limit === limit &&
    known.hints.windowMs === windowMs &&
    known.told.length === told.length &&
    known.told.every((one, at) => one === told[at])
  );
}

function identifiedAnew(told: readonly ObservedRequest[], hints: Hints): Identified {
  const observations = observe(told);
  const explained = explaining(observations, hints);
  const found = isPossible(explained) ? withoutOthers(explained) : nearest(observe(told), hints, explained);
  if (isBelieved(found)) return concluded(observations, found);
  const others = takenBefore(observations, hints);
  const afterOthers = others === 0 ? [] : fitting(withTakenBefore(told, others), takenBeforePrior, hints);
  if (found.cap !== null && afterOthers.length === 0) return concluded(observations, found);
  const overshot = limitsOvershot(observations).flatMap((limit) =>
    fitting(withoutSurplus(told, limit), overshootPrior, hints),
  );
  const asSeen = found.cap === null ? found.fits : [];
  const fits = bestOfEach([...asSeen, ...afterOthers, ...overshot], hints);
  return concluded(observations, { fits, cap: null });
}

/** What explains a trace in which something is not as it seems, which is so likely. */
function fitting(observations: Observations, prior: number, hints: Hints): readonly Fit[] {
  return likelyFits(observations, hints, 'explaining')
    .filter(({ contradictedBy }) => contradictedBy.length === 0)
    .map((fit) => ({ ...fit, plausibility: prior * fit.plausibility }));
}

/** What explains the trace. Most of the time goes into what comes near: that is not asked for here. */
function explaining(observations: Observations, hints: Hints): Explanation {
  return explanation(searchesOf(observations, hints, 'explaining'), hints);
}

/** Whether something explains the trace that may well be: where none is plausible at all, one that contradicts something may be more so. */
function isPossible({ fits }: Explanation): boolean {
  return isExplained(fits) && fits[0]?.plausibility !== 0;
}

function withoutOthers({ fits, cap }: Explanation): Explanation {
  return { fits: fits.filter(({ contradictedBy }) => contradictedBy.length === 0), cap };
}

/** What comes nearest to an explanation. Where there is none at all, there is none under another limit either. */
function nearest(observations: Observations, hints: Hints, { fits }: Explanation): Explanation {
  const searches = searchesOf(observations, hints, 'nearest');
  const none = { underSecond: () => null, underLonger: () => null };
  return explanation(isExplained(fits) ? searches : { ...searches, ...none }, hints);
}

/** Whether what passed is a limit as somebody may have set it, or is no limit of what passes. */
function isBelieved({ fits: [best], cap }: Explanation): boolean {
  if (cap !== null) return !isOddLimit(cap.limit);
  return best !== undefined && (isWindowless(best) || !isOddLimit(best.limit));
}

/** How usual it is that a limiter lets more pass than its limit, because it counts after it has decided. */
const overshootPrior = 0.05;

function searchesOf(observations: Observations, hints: Hints, wanted: Wanted): Searches {
  return {
    likely: () => likelyFits(observations, hints, wanted),
    early: () => earlyFits(observations, hints, wanted),
    forgotten: (beside) => forgottenFits(observations, beside, hints),
    stepped: () => steppedFits(observations, hints),
    unlikely: () => unlikelyFits(observations, hints, wanted),
    underSecond: () => underLimit(observations, secondMs, hints, wanted),
    underLonger: () => underShorterWindow(observations, hints, wanted),
  };
}

function concluded(observations: Observations, { fits, cap }: Explanation): Identified {
  return { observations, fits, tied: tiedOf(fits), cap };
}
