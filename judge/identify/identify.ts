import { bestOfEach, earlyFits, isExplained, likelyFits, steppedFits, unlikelyFits } from './all-fits.ts';
import { bucketsWithin, type Cap, excusedByCap, mostIn, usualIn } from './cap.ts';
import { type Fit, type Hints, tieFactor } from './fit.ts';
import { fitFixedWindows } from './fixed-window-fit.ts';
import { firstBurstOf, roundBelow } from './limits-met.ts';
import { type Observations, type Observed, observe, without } from './observations.ts';
import { isOddLimit, limitsOvershot, withoutSurplus } from './overshoot.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';

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
  const last = trace.at(-1);
  const before = last === undefined ? undefined : latest.get(last);
  if (before !== undefined && isSame(before, trace, hints)) return before.found;
  const found = identifiedAnew(trace, hints);
  // A copy: what is asked about next may be the same list, grown.
  if (last !== undefined) latest.set(last, { trace: [...trace], hints, found });
  return found;
}

type Known = {
  readonly trace: readonly Observed[];
  readonly hints: Hints;
  readonly found: Identified;
};

/** What was identified last, by the last request: a run asks about its requests when it plans, when it ends and when it reports. */
const latest = new WeakMap<Observed, Known>();

function isSame(known: Known, trace: readonly Observed[], { limit, windowMs }: Hints): boolean {
  return (
    known.hints.limit === limit &&
    known.hints.windowMs === windowMs &&
    known.trace.length === trace.length &&
    known.trace.every((one, at) => one === trace[at])
  );
}

function identifiedAnew(trace: readonly Observed[], hints: Hints): Identified {
  const told = telling(trace);
  const observations = observe(told);
  const found = explained(observations, hints);
  const [best] = found.fits;
  const isBelieved =
    found.cap !== null ||
    (best !== undefined && (inFlight.includes(best.algorithm) || !isOddLimit(best.limit)));
  if (isBelieved) return found;
  const overshot = limitsOvershot(observations)
    .flatMap((limit) => likelyFits(withoutSurplus(told, limit), hints))
    .filter(({ contradictedBy }) => contradictedBy.length === 0)
    .map((fit) => ({ ...fit, plausibility: overshootPrior * fit.plausibility }));
  return overshot.length === 0
    ? found
    : concluded(observations, bestOfEach([...found.fits, ...overshot], hints), null);
}

/** How usual it is that a limiter lets more pass than its limit, because it counts after it has decided. */
const overshootPrior = 0.05;

/** Their limit is no count of what passed. */
const inFlight: readonly Fit['algorithm'][] = ['concurrency-limit', 'leaky-bucket-queue'];

function explained(observations: Observations, hints: Hints): Identified {
  const fits = likelyFits(observations, hints);
  if (isExplained(fits) && !isOpen(fits) && !isOdd(fits)) return concluded(observations, fits, null);
  const capped = isExplained(fits) ? null : underLimit(observations, secondMs, hints);
  if (capped !== null && !isOpen(capped.fits) && !isOdd(capped.fits))
    return concluded(observations, capped.fits, capped.cap);
  const early = withStepped(
    observations,
    bestOfEach([...fits, ...earlyFits(observations, hints)], hints),
    hints,
  );
  if (isExplained(early)) {
    const others = isOdd(early) ? withOtherLimits(observations, early, hints) : early;
    return concluded(observations, others, null);
  }
  if (capped !== null && !isOdd(capped.fits)) return concluded(observations, capped.fits, capped.cap);
  const all = withOtherLimits(observations, early, hints);
  if (isExplained(all)) return concluded(observations, all, null);
  if (capped !== null) return concluded(observations, capped.fits, capped.cap);
  const stacked = shorterMs
    .map((lengthMs) => underLimit(observations, lengthMs, hints))
    .filter((one) => one !== null)
    .sort((left, right) => plausibilityOf(right, hints) - plausibilityOf(left, hints));
  const [best] = stacked;
  return best === undefined
    ? concluded(observations, all, null)
    : concluded(observations, best.fits, best.cap);
}

/** How plausible two limits on top of each other are together. */
function plausibilityOf({ cap, fits: [best] }: Capped, hints: Hints): number {
  const { lengthMs, limit } = cap;
  const window = { lowMs: lengthMs, highMs: lengthMs };
  return (best?.plausibility ?? 0) * limitPlausibility(limit, hints) * windowPlausibility(window, {});
}

/** Requests that are looked at from the first one on, and from the first refusal on: in a longer trace the rest repeats it. */
const looked = { fromStart: 10_000, fromRefusal: 5_000 } as const;

function telling(trace: readonly Observed[]): readonly Observed[] {
  if (trace.length <= looked.fromStart) return trace;
  const sorted = [...trace].sort((left, right) => left.sentMs - right.sentMs);
  const refused = sorted.findIndex(({ outcome }) => outcome === 'limited');
  return sorted.slice(0, Math.max(looked.fromStart, refused + looked.fromRefusal));
}

/**
 * An explanation that is less plausible than this needs odd settings: buckets that are not filled evenly are tried too, and
 * other limits than the first burst met.
 */
const oddBelow = 1e-5;

function isOdd([best]: readonly Fit[]): boolean {
  return (best?.plausibility ?? 0) < oddBelow;
}

function withStepped(observations: Observations, fits: readonly Fit[], hints: Hints): readonly Fit[] {
  if (isExplained(fits) && !isOdd(fits)) return fits;
  return bestOfEach([...fits, ...steppedFits(observations, hints)], hints);
}

/** The first request may have left a short window before the burst came: then the burst met a lower limit than it shows. */
function withOtherLimits(observations: Observations, fits: readonly Fit[], hints: Hints): readonly Fit[] {
  return bestOfEach([...fits, ...unlikelyFits(observations, hints)], hints);
}

const secondMs = 1_000;

/** Windows that stand on top of a longer one, beside that of a second. */
const shorterMs = [2_000, 5_000, 10_000, 15_000, 20_000, 30_000] as const;

/** A longer window is at least this many times as long as one on top of it. */
const timesLonger = 2;

/**
 * A two-bucket counter takes many shapes: it is believed only once all of them have been looked at. So is a bucket, for
 * which a counter is taken whose boundary lies in the midst of the first burst.
 */
function isOpen([best]: readonly Fit[]): boolean {
  return (
    best !== undefined &&
    /^(two|token|leaky)-bucket/.test(best.algorithm) &&
    best.algorithm !== 'leaky-bucket-queue'
  );
}

type Capped = { readonly cap: Cap; readonly fits: readonly Fit[] };

/** What explains the trace under a limit on a shorter time; `null` where nothing does, or there can be no such limit. */
function underLimit(observations: Observations, lengthMs: number, hints: Hints): Capped | null {
  const most = mostIn(observations, lengthMs);
  // A window that begins anew lets twice its limit pass around its end: then the first burst shows it.
  const burst = firstBurstOf(observations);
  const limits = [usualIn(observations, lengthMs), most, burst, roundBelow(burst)];
  const perhaps = [...new Set(limits)].filter((limit) => limit <= most && 2 * limit >= most);
  const inWindow = firstUnder(
    observations,
    [
      ...perhaps.map((limit): Cap => ({ limit, lengthMs, kind: 'window', counts: 'admitted' })),
      ...perhaps.map((limit): Cap => ({ limit, lengthMs, kind: 'window' })),
    ],
    hints,
  );
  const onGrid =
    inWindow === null ? perhaps.map((limit) => onGrids(observations, limit, lengthMs, hints)) : [];
  const [best] = onGrid.filter((one) => one !== null);
  if (best !== undefined) return best;
  // Of two limits on top of each other both are of one kind.
  const isBucket = inWindow?.fits[0]?.algorithm === 'token-bucket';
  if ((inWindow !== null && !isBucket) || observations.refusals.length === 0) return inWindow;
  for (const bucket of bucketsWithin(observations, firstBurstOf(observations), lengthMs)) {
    const inBucket = underCap(observations, bucket, hints);
    if (inBucket !== null) return inBucket;
  }
  return inWindow;
}

/** Two limits with the wall clock on top of each other: what the shorter one refuses need not fill any time that long. */
function onGrids(observations: Observations, limit: number, lengthMs: number, hints: Hints): Capped | null {
  const cap: Cap = { limit, lengthMs, kind: 'grid' };
  const under = without(observations, excusedByCap(observations, cap));
  if (under.refused.length === 0 || under.refused.length === observations.refused.length) return null;
  const fits = fitFixedWindows(under, hints).filter(
    (fit) => fit.algorithm === 'fixed-window-wall-clock' && fit.limit > limit,
  );
  const isLonger = (fits[0]?.lengthMs ?? 0) >= timesLonger * lengthMs;
  return isExplained(fits) && isLonger ? { cap, fits } : null;
}

/** The first of some limits on a shorter time under which all is explained without odd settings; else the first with any. */
function firstUnder(observations: Observations, caps: readonly Cap[], hints: Hints): Capped | null {
  let odd: Capped | null = null;
  for (const cap of caps) {
    const capped = underCap(observations, cap, hints);
    if (capped !== null && !isOdd(capped.fits)) return capped;
    odd ??= capped;
  }
  return odd;
}

function underCap(observations: Observations, cap: Cap, hints: Hints): Capped | null {
  const { lengthMs } = cap;
  const under = without(observations, excusedByCap(observations, cap));
  if (under.refused.length === 0 || under.refused.length === observations.refused.length) return null;
  const fits = likelyFits(under, hints);
  const isLonger = (fits[0]?.lengthMs ?? 0) >= timesLonger * lengthMs;
  return isExplained(fits) && (lengthMs === secondMs || isLonger) ? { cap, fits } : null;
}

function concluded(observations: Observations, fits: readonly Fit[], cap: Cap | null): Identified {
  const [best] = fits;
  const enough = (best?.plausibility ?? 0) / tieFactor;
  const tied = fits.filter((fit) => fit.contradictedBy.length === 0 && fit.plausibility >= enough);
  return { observations, fits, tied: best?.plausibility === 0 ? [] : tied, cap };
}
