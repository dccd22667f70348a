import { bestOfEach, earlyFits, likelyFits, steppedFits, unlikelyFits } from './all-fits.ts';
import type { Cap } from './cap.ts';
import { type Explanation, explanation, type Searches, tiedOf } from './explanation.ts';
import type { Fit, Hints } from './fit.ts';
import { lookedAt } from './looked-at.ts';
import { type Observations, type Observed, observe } from './observations.ts';
import { isOddLimit, limitsOvershot, withoutSurplus } from './overshoot.ts';
import { underLimit, underShorterWindow } from './stacked.ts';
import { secondMs } from './under-cap.ts';

/** What explains a trace, as far as its times tell. */
export type Identified = {
  readonly observations: Observations;
  /** Every class at its best, the likeliest first. Empty where nothing was ever refused or nothing came back. */
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
export function identify(trace: readonly Observed[], hints: Hints = {}): Identified {
  // There is one: a trace without a request is refused below.
  const last = trace.at(-1) as Observed;
  const before = latest.get(last);
  if (before !== undefined && isSame(before, trace, hints)) return before.found;
  const found = identifiedAnew(trace, hints);
  // A copy: what is asked about next may be the same list, grown.
  latest.set(last, { trace: [...trace], hints, found });
  return found;
}

type Known = {
  readonly trace: readonly Observed[];
  readonly hints: Hints;
  readonly found: Identified;
};

/** What was identified last, by the last request: a run asks about its requests when it plans, when it ends and when it reports. */
const latest = new WeakMap<Observed, Known>();

/** The last request of both is the same one: none of them has more than the other. */
function isSame(known: Known, trace: readonly Observed[], { limit, windowMs }: Hints): boolean {
  return (
    known.hints.limit === limit &&
    known.hints.windowMs === windowMs &&
    known.trace.every((one, at) => one === trace[at])
  );
}

function identifiedAnew(trace: readonly Observed[], hints: Hints): Identified {
  const told = lookedAt(trace);
  const observations = observe(told);
  const found = explanation(searchesOf(observations, hints), hints);
  if (isBelieved(found)) return concluded(observations, found);
  const overshot = limitsOvershot(observations)
    .flatMap((limit) => likelyFits(withoutSurplus(told, limit), hints))
    .filter(({ contradictedBy }) => contradictedBy.length === 0)
    .map((fit) => ({ ...fit, plausibility: overshootPrior * fit.plausibility }));
  return concluded(observations, { fits: bestOfEach([...found.fits, ...overshot], hints), cap: null });
}

/** Whether what passed is a limit as somebody may have set it, or is no limit of what passes. */
function isBelieved({ fits: [best], cap }: Explanation): boolean {
  return (
    cap !== null || (best !== undefined && (inFlight.includes(best.algorithm) || !isOddLimit(best.limit)))
  );
}

/** How usual it is that a limiter lets more pass than its limit, because it counts after it has decided. */
const overshootPrior = 0.05;

/** Their limit is no count of what passed. */
const inFlight: readonly Fit['algorithm'][] = ['concurrency-limit', 'leaky-bucket-queue'];

function searchesOf(observations: Observations, hints: Hints): Searches {
  return {
    likely: () => likelyFits(observations, hints),
    early: () => earlyFits(observations, hints),
    stepped: () => steppedFits(observations, hints),
    unlikely: () => unlikelyFits(observations, hints),
    underSecond: () => underLimit(observations, secondMs, hints),
    underLonger: () => underShorterWindow(observations, hints),
  };
}

function concluded(observations: Observations, { fits, cap }: Explanation): Identified {
  return { observations, fits, tied: tiedOf(fits), cap };
}
