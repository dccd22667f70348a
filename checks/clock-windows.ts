import { bounds } from '../contract/bounds.ts';
import type { Alignment, SinglePromise } from '../contract/document/promise.ts';
import { nextBoundaryMs } from './moments.ts';

/** Windows that begin by the clock, and how far that may be off ours, ms. */
export type ClockWindows = { readonly windowMs: number; readonly skewMs: number };

/** Where the windows of a limit begin, by what a document says of it. */
export function alignmentOf(promise: SinglePromise): Alignment {
  return promise.kind === 'fixed' ? promise.aligned : 'unsaid';
}

/** Apart from a boundary by more than what answers take, ms. */
const apartMs = 150;

/** How long after a boundary a window has begun by any clock within the bounds, and was held a second longer, ms. */
function begunAfterMs({ skewMs }: ClockWindows): number {
  return skewMs + bounds.granularityMs + apartMs;
}

/**
 * Whether there are moments in such windows that are apart from each boundary. Of windows that are not much longer than what clocks
 * may be off, nothing is shown by where they begin.
 */
export function haveApart(windows: ClockWindows): boolean {
  return 4 * begunAfterMs(windows) <= windows.windowMs;
}

/**
 * When capacity is asked for around the first boundary after a moment, ms: before it nothing may have come back, and after it everything
 * has, whatever the clocks are off. Windows that begin elsewhere answer otherwise.
 */
export function boundaryAsksMs(fromMs: number, windows: ClockWindows): readonly number[] {
  if (!haveApart(windows)) return [];
  const boundaryMs = nextBoundaryMs(fromMs, windows.windowMs);
  return [boundaryMs - windows.skewMs - apartMs, boundaryMs + begunAfterMs(windows)];
}

/** Between a boundary and the beginning of a run, besides, as a share of the window. */
const beginShare = 0.05;

/**
 * The first moment from `nowMs` on that is apart from each boundary, ms, with a while before the next one: windows that begin with
 * the first request of a run then do not begin where those of the clock do.
 */
export function apartFromBoundariesMs(nowMs: number, windows: ClockWindows, whileMs: number): number {
  const { windowMs, skewMs } = windows;
  const boundaryMs = nextBoundaryMs(nowMs, windowMs);
  const afterMs = begunAfterMs(windows) + beginShare * windowMs;
  if (boundaryMs - nowMs < whileMs + skewMs + apartMs) return boundaryMs + afterMs;
  return Math.max(nowMs, boundaryMs - windowMs + afterMs);
}

/** The longest wait for such a moment, ms. */
export function apartMsMax(windows: ClockWindows, whileMs: number): number {
  return whileMs + windows.skewMs + apartMs + begunAfterMs(windows) + beginShare * windows.windowMs;
}
