import type { Algorithm } from '../../contract/identification.ts';

/** One class of limiter with the parameters under which it explains a trace best. Lengths in ms by the client's clock. */
export type Fit = {
  readonly algorithm: Exclude<Algorithm, 'unidentified'>;
  readonly limit: number;
  /** The lengths of window that explain as much; `highMs` is infinite where nothing bounds it. */
  readonly window: Span;
  /** The likeliest of those lengths. */
  readonly lengthMs: number;
  /** Where the boundaries lie, ms on the observations' scale, for windows on a grid. */
  readonly boundary?: Span;
  /** Requests leave the log together, in sub-windows of this length. */
  readonly granularityMs?: number;
  /** Whether rejected requests count; absent where that makes no difference. */
  readonly rejectionsCount?: boolean;
  /** Positions of the exchanges that this class cannot explain. */
  readonly contradictedBy: readonly number[];
  /**
   * How much of what such limiters are usually set to would have explained the trace: a class that needs an odd length,
   * or a boundary at just this moment, explains less than one that needs neither.
   */
  readonly plausibility: number;
};

export type Span = { readonly lowMs: number; readonly highMs: number };

/** What somebody believes about the limiter; it weighs, and never decides. */
export type Hints = { readonly limit?: number | undefined; readonly windowMs?: number | undefined };

/**
 * The fit with the fewest contradictions; among those the more plausible. Where both are about as plausible ways in which
 * one limiter on a grid explains the trace, its length may be that of either.
 */
export function better(left: Fit, right: Fit, { windowMs }: Hints): Fit {
  const fewer = left.contradictedBy.length - right.contradictedBy.length;
  if (fewer !== 0) return fewer < 0 ? left : right;
  const [more, less] = right.plausibility > left.plausibility ? [right, left] : [left, right];
  const isOnGrid = more.boundary !== undefined && less.boundary !== undefined;
  if (!isOnGrid || more.limit !== less.limit || less.plausibility * tieFactor < more.plausibility)
    return more;
  const lowMs = Math.min(more.window.lowMs, less.window.lowMs);
  const highMs = Math.max(more.window.highMs, less.window.highMs);
  const lengthMs = less.lengthMs === windowMs ? less.lengthMs : more.lengthMs;
  return { ...more, window: { lowMs, highMs }, lengthMs };
}

/** An explanation this many times less plausible than the best is not named beside it. */
export const tieFactor = 20;
