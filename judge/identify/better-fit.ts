import { type Fit, type Hints, tieFactor } from './fit.ts';
import { likeliestMs, mayLieIn } from './plausibility.ts';
import { hullOf } from './spans.ts';

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
  if (more.limit !== less.limit || less.plausibility * tieFactor < more.plausibility) return more;
  const isOnGrid = more.boundary !== undefined && less.boundary !== undefined;
  const isBucket = more.algorithm === 'token-bucket' && more.granularityMs !== less.granularityMs;
  if (isBucket) return bucketOfBoth(more, less, hints);
  if (!isOnGrid) return more;
  const lengthMs = less.lengthMs === hints.windowMs ? less.lengthMs : more.lengthMs;
  return { ...more, window: hullOf([more.window, less.window]), lengthMs };
}

/** The likeliest length that a bucket may have if it is filled in either way, with the way that has it. No way has one in between. */
function bucketOfBoth(more: Fit, less: Fit, hints: Hints): Fit {
  if (more.window.lowMs > less.window.highMs || less.window.lowMs > more.window.highMs) return more;
  const window = hullOf([more.window, less.window]);
  const lengthMs = likeliestMs(window, hints);
  if (mayLieIn(lengthMs, more.window)) return { ...more, window, lengthMs };
  const { granularityMs: _, ...bucket } = more;
  const { granularityMs } = less;
  return { ...bucket, window, lengthMs, ...(granularityMs === undefined ? {} : { granularityMs }) };
}
