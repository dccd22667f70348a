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
  /** After so long without a request all is forgotten; absent where nothing is. */
  readonly forgottenAfter?: Span;
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

/** What is looked for: fits that contradict nothing alone, or where there are none those that come nearest, too. */
export type Wanted = 'explaining' | 'nearest';

/** An explanation this many times less plausible than the best is not named beside it. */
export const tieFactor = 20;

/** Whether a limit is on what is in flight or waits: it is no count of what passed, and has no window. */
export function isWindowless({ algorithm }: Fit): boolean {
  return algorithm === 'concurrency-limit' || algorithm === 'leaky-bucket-queue';
}
