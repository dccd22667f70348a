import type { ProbeRequest } from '../steps.ts';

/** An unknown limiter, and what the user says about it. */
export type Unknown = {
  readonly request: ProbeRequest;
  readonly limit: number | null;
  readonly windowMs: number | null;
  /**
   * How many whole windows are watched. `auto` watches a second one where several explanations remain after the first.
   */
  readonly windows: 1 | 2 | 'auto';
  /** The longest wait for one window. */
  readonly windowMsMax: number;
  /** After this many requests without a refusal, there is no limiter. */
  readonly unlimitedAfter: number;
};

/** The window that is expected where the user says nothing: most limiters have it. */
const usualWindowMs = 60_000;

/** The window that a run is made for. */
export function expectedWindowMs({ windowMs }: Pick<Unknown, 'windowMs'>): number {
  return windowMs ?? usualWindowMs;
}

/** Fraction of a second at which a run begins: whole seconds later are then never a boundary of the wall clock. */
const anchorShare = 0.45;
const anchorShareMax = 0.6;

/**
 * The first moment from `nowMs` on at which a run can begin, ms since the Unix epoch: no boundary of the wall clock
 * then falls between the first request and the end of the first burst.
 */
export function calmFromMs(nowMs: number, windowMs: number): number {
  const share = (nowMs % 1_000) / 1_000;
  const waits = share >= anchorShare && share <= anchorShareMax ? 0 : (anchorShare - share + 1) % 1;
  let ms = nowMs + waits * 1_000;
  const [before, after] = [Math.min(1_500, windowMs / 40), Math.min(6_000, windowMs / 8)];
  const sinceMs = ms % windowMs;
  if (sinceMs < before) ms += 1_000 * Math.ceil((before - sinceMs) / 1_000);
  else if (windowMs - sinceMs < after) ms += 1_000 * Math.ceil((windowMs - sinceMs + before) / 1_000);
  return ms;
}
