import type { Hints, Span } from './fit.ts';
import { type Observations, wallClockMs } from './observations.ts';
import { usualWindows } from './usual-windows.ts';

/** Windows on a grid: one boundary, ms on the observations' scale, and their length. */
export type Grid = { readonly boundaryMs: number; readonly windowMs: number };

/** A boundary that is tried, and the width of the span that it stands for. */
export type Place = { readonly ms: number; readonly widthMs: number };

export type ExplainedLimit = { readonly limit: number; readonly contradictedBy: readonly number[] };

/** The last boundary at or before a moment. */
export function cellStart({ boundaryMs, windowMs }: Grid, ms: number): number {
  return boundaryMs + Math.floor((ms - boundaryMs) / windowMs) * windowMs;
}

/** The wall clock's boundary in a span, or beside it; `null` where there is none. */
export function wallBoundaryIn({ originMs }: Observations, span: Span, windowMs: number): number | null {
  const nextMs = Math.ceil((originMs + span.lowMs - wallClockMs) / windowMs) * windowMs - originMs;
  return nextMs > span.highMs + wallClockMs ? null : Math.min(Math.max(nextMs, span.lowMs), span.highMs);
}

/** Lengths at which a window that begins with the wall clock's is looked for. */
export function alignedLengthsMs({ windowMs }: Hints): readonly number[] {
  if (windowMs === undefined || usualMs.includes(windowMs)) return usualMs;
  return [...usualMs, windowMs].sort((left, right) => left - right);
}

const usualMs: readonly number[] = usualWindows.map(({ ms }) => ms).sort((left, right) => left - right);
