import type { ProbeRequest } from '../steps.ts';

/** An unknown limiter, and what is believed about it. */
export type Unknown = {
  readonly request: ProbeRequest;
  readonly limit: number | null;
  readonly windowMs: number | null;
  /** How many whole windows are watched; `auto` takes a second one where the first leaves open what the limiter is. */
  readonly windows: 1 | 2 | 'auto';
  /** No window is waited for longer than this. */
  readonly windowMsMax: number;
  /** Requests after which a limiter that refused none of them counts as none. */
  readonly unlimitedAfter: number;
};

/** Where nothing is said, the window that most limiters have. */
const usualWindowMs = 60_000;

/** The window that a run is laid out for. */
export function expectedWindowMs({ windowMs }: Pick<Unknown, 'windowMs'>): number {
  return windowMs ?? usualWindowMs;
}

/** Second's share at which a run begins: whole seconds after it are then never a boundary of the wall clock. */
const anchorShare = 0.45;
const anchorShareMax = 0.6;

/**
 * From when on, at or after a moment, no boundary of the wall clock falls between the first request and the end of the first
 * burst. ms since the Unix epoch.
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
