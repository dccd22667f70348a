import { type Fit, type Hints, tieFactor } from './fit.ts';
import { likeliestMs } from './plausibility.ts';

/**
 * The fit with the fewest contradictions; among those the more plausible. Where both are about as plausible ways in which
 * one limiter explains the trace, on a grid or as a bucket that is filled in one of several ways, its length may be that of
 * either.
 */
export function better(left: Fit, right: Fit, hints: Hints): Fit {
  const fewer = left.contradictedBy.length - right.contradictedBy.length;
  if (fewer < 0) return left;
  if (fewer > 0) return right;
  const [more, less] = right.plausibility > left.plausibility ? [right, left] : [left, right];
  const isOnGrid = more.boundary !== undefined && less.boundary !== undefined;
  const isBucket = more.algorithm === 'token-bucket' && more.granularityMs !== less.granularityMs;
  if (
    !(isOnGrid || isBucket) ||
    more.limit !== less.limit ||
    less.plausibility * tieFactor < more.plausibility
  )
    return more;
  const window = {
    lowMs: Math.min(more.window.lowMs, less.window.lowMs),
    highMs: Math.max(more.window.highMs, less.window.highMs),
  };
  if (isBucket) return { ...more, window, lengthMs: likeliestMs(window, hints) };
  return { ...more, window, lengthMs: less.lengthMs === hints.windowMs ? less.lengthMs : more.lengthMs };
}
