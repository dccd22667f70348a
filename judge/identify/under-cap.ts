import { isExplained } from './all-fits.ts';
import { type Cap, excusedByCap, mostIn, usualIn } from './cap.ts';
import { type Fit, type Hints, isWindowless } from './fit.ts';
import { firstBurstOf, roundBelow } from './limits-met.ts';
import { type Observations, without } from './observations.ts';
import { isOdd } from './odd.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';

export const secondMs = 1_000;

/** A longer window is at least this many times as long as one on top of it. */
const timesLonger = 2;

/** A limit on a shorter time, and what explains the trace under it. */
export type FitsUnderCap = { readonly cap: Cap; readonly fits: readonly Fit[] };

/**
 * Limits that there may be on a shorter time: what passed in it. A window that begins anew lets twice its limit pass around
 * its end: then the first burst shows it.
 */
export function limitsOnTop(seen: Observations, lengthMs: number): readonly number[] {
  const most = mostIn(seen, lengthMs);
  const burst = firstBurstOf(seen);
  const limits = [usualIn(seen, lengthMs), most, burst, roundBelow(burst)];
  return [...new Set(limits)].filter((limit) => limit <= most && 2 * limit >= most);
}

/** What a limit on a shorter time leaves to the one under it; `null` where that is nothing, or all. */
export function leftUnder(seen: Observations, cap: Cap): Observations | null {
  const left = without(seen, excusedByCap(seen, cap));
  return left.limited.length === 0 || left.limited.length === seen.limited.length ? null : left;
}

/**
 * These, where they explain what was left, and the best is one that is longer than the limit on top of it. One on what is in
 * flight or waits explains whatever is left of a burst: that shows nothing.
 */
export function underIt(cap: Cap, fits: readonly Fit[]): FitsUnderCap | null {
  const [best] = fits;
  if (best === undefined || !isExplained(fits) || isWindowless(best)) return null;
  const mayBeShort = cap.lengthMs === secondMs && cap.kind !== 'grid';
  return mayBeShort || best.lengthMs >= timesLonger * cap.lengthMs ? { cap, fits } : null;
}

/** Of two limits with the wall clock on top of each other: the longer ones. */
export function longerGrids({ limit }: Cap, fits: readonly Fit[]): readonly Fit[] {
  return fits.filter((fit) => fit.algorithm === 'fixed-window-wall-clock' && fit.limit > limit);
}

/** The first of some limits on a shorter time under which all is explained without odd settings; else the first with any. */
export function firstUnder(
  caps: readonly Cap[],
  under: (cap: Cap) => FitsUnderCap | null,
): FitsUnderCap | null {
  let odd: FitsUnderCap | null = null;
  for (const cap of caps) {
    const capped = under(cap);
    if (capped !== null && !isOdd(capped.fits)) return capped;
    odd ??= capped;
  }
  return odd;
}

/** How plausible two limits on top of each other are together. */
export function plausibilityOf({ cap, fits: [best] }: FitsUnderCap, hints: Hints): number {
  const { lengthMs, limit } = cap;
  const window = { lowMs: lengthMs, highMs: lengthMs };
  return (best?.plausibility ?? 0) * limitPlausibility(limit, hints) * windowPlausibility(window, {});
}
