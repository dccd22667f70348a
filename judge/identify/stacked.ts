import { isExplained, likelyFits } from './all-fits.ts';
import { bucketsWithin, type Cap, excusedByCap, mostIn, usualIn } from './cap.ts';
import type { Fit, Hints } from './fit.ts';
import { fitFixedWindows } from './fixed-window-fit.ts';
import { firstBurstOf, roundBelow } from './limits-met.ts';
import { type Observations, without } from './observations.ts';
import { isOdd } from './odd.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';

export const secondMs = 1_000;

/** Windows that stand on top of a longer one, beside that of a second. */
const shorterMs = [2_000, 5_000, 10_000, 15_000, 20_000, 30_000] as const;

/** A longer window is at least this many times as long as one on top of it. */
const timesLonger = 2;

/** The likeliest of the longer times on top of which there may be another limit; `null` where none explains the trace. */
export function underShorterWindow(observations: Observations, hints: Hints): Capped | null {
  const [best] = shorterMs
    .map((lengthMs) => underLimit(observations, lengthMs, hints))
    .filter((one) => one !== null)
    .sort((left, right) => plausibilityOf(right, hints) - plausibilityOf(left, hints));
  return best ?? null;
}

/** How plausible two limits on top of each other are together. */
function plausibilityOf({ cap, fits: [best] }: Capped, hints: Hints): number {
  const { lengthMs, limit } = cap;
  const window = { lowMs: lengthMs, highMs: lengthMs };
  return (best?.plausibility ?? 0) * limitPlausibility(limit, hints) * windowPlausibility(window, {});
}

export type Capped = { readonly cap: Cap; readonly fits: readonly Fit[] };

/** What explains the trace under a limit on a shorter time; `null` where nothing does, or there can be no such limit. */
export function underLimit(observations: Observations, lengthMs: number, hints: Hints): Capped | null {
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
