import { bestOfEach, isExplained } from './all-fits.ts';
import type { Cap } from './cap.ts';
import { type Fit, type Hints, tieFactor } from './fit.ts';
import { isOdd } from './odd.ts';
import type { FitsUnderCap } from './under-cap.ts';

/** What may explain a trace. Each takes its time, and is asked only where those before it explain too little. */
export type Searches = {
  readonly likely: () => readonly Fit[];
  /** A counter with a boundary in the midst of the first burst. */
  readonly early: () => readonly Fit[];
  /** What takes many shapes. */
  readonly stepped: () => readonly Fit[];
  /** What is forgotten when nothing is asked for a while, where these explain the trace by a window that is shorter than that, or not at all. */
  readonly forgotten: (beside: readonly Fit[]) => readonly Fit[];
  /** Other limits than the first burst met. */
  readonly unlikely: () => readonly Fit[];
  /** Under a limit on a second; `null` where nothing explains the trace so, as in the next. */
  readonly underSecond: () => FitsUnderCap | null;
  /** Under a limit on a longer time. */
  readonly underLonger: () => FitsUnderCap | null;
};

export type Explanation = {
  /** Every class at its best, the likeliest first. */
  readonly fits: readonly Fit[];
  /** A limit on a shorter time on top of these. */
  readonly cap: Cap | null;
};

/** What explains a trace, or comes nearest to it. */
export function explanation(searches: Searches, hints: Hints): Explanation {
  const likely = searches.likely();
  const fits = isExplained(likely) ? withForgotten(likely, searches, hints) : likely;
  if (isExplained(fits) && !isOpen(fits) && !isOdd(fits)) return { fits, cap: null };
  const capped = isExplained(fits) ? null : searches.underSecond();
  if (capped !== null && !isOpen(capped.fits) && !isOdd(capped.fits)) return capped;
  const early = withStepped(bestOfEach([...fits, ...searches.early()], hints), searches, hints);
  if (isExplained(early)) {
    return { fits: isOdd(early) ? withOtherLimits(early, searches, hints) : early, cap: null };
  }
  if (capped !== null && !isOdd(capped.fits)) return capped;
  const forgotten = withForgotten(early, searches, hints);
  if (isExplained(forgotten)) return { fits: forgotten, cap: null };
  const all = withOtherLimits(early, searches, hints);
  if (isExplained(all)) return { fits: all, cap: null };
  return capped ?? searches.underLonger() ?? { fits: all, cap: null };
}

/** Explanations that contradict nothing and are about as likely as the first. */
export function tiedOf(fits: readonly Fit[]): readonly Fit[] {
  const [best] = fits;
  const enough = (best?.plausibility ?? 0) / tieFactor;
  const tied = fits.filter((fit) => fit.contradictedBy.length === 0 && fit.plausibility >= enough);
  return best?.plausibility === 0 ? [] : tied;
}

function withStepped(fits: readonly Fit[], { stepped }: Searches, hints: Hints): readonly Fit[] {
  if (isExplained(fits) && !isOdd(fits)) return fits;
  return bestOfEach([...fits, ...stepped()], hints);
}

function withForgotten(fits: readonly Fit[], { forgotten }: Searches, hints: Hints): readonly Fit[] {
  return bestOfEach([...fits, ...forgotten(fits)], hints);
}

/** The first request may have left a short window before the burst came: then the burst met a lower limit than it shows. */
function withOtherLimits(fits: readonly Fit[], { unlikely }: Searches, hints: Hints): readonly Fit[] {
  return bestOfEach([...fits, ...unlikely()], hints);
}

/**
 * A two-bucket counter takes many shapes: it is believed only once all of them have been looked at. So is a bucket, for
 * which a counter is taken whose boundary lies in the midst of the first burst.
 */
function isOpen([best]: readonly Fit[]): boolean {
  return best !== undefined && manyShapes.includes(best.algorithm);
}

const manyShapes: readonly Fit['algorithm'][] = [
  'two-bucket',
  'two-bucket-counting-rejections',
  'token-bucket',
  'leaky-bucket',
];
