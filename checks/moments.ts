import type { Exchange } from '../contract/exchange.ts';
import { drawn, type Vary } from './variation.ts';

/** How often a full window is asked, by one request at a time, before its first place can come back. */
export type QuietLooks = 'often' | 'once' | 'never';

/** Fractions of the window at which single requests check whether a place came back too early. */
const quietShares = [
  { usual: 0.3, least: 0.2, most: 0.38 },
  { usual: 0.5, least: 0.5, most: 0.506 },
  { usual: 0.75, least: 0.64, most: 0.85 },
] as const;

/** Around the boundary of a window aligned to the wall clock, ms. */
const boundaryOffsetsMs = [
  { usual: -250, least: -450, most: -100 },
  { usual: 250, least: 100, most: 450 },
] as const;

/** When the ladder begins that follows, ms before the anchor can leave the window. */
export const beforeLadderMs = -1_500;

/** How many of those there are; those at a boundary come on top, unless there are to be none. */
const looksOf = { often: quietShares.length, once: 1, never: 0 } as const satisfies Record<
  QuietLooks,
  number
>;

/** Of a window in the quiet part: its length, and how often it is asked there. */
type QuietPart = { readonly windowMs: number; readonly looks: QuietLooks; readonly vary: Vary | null };

/**
 * Moments for single requests in the quiet part of the window, ascending, ms. They detect an early return of any kind,
 * and cover both sides of the boundary of the wall clock on purpose: where it lies depends on when the run began.
 */
export function quietMs(anchor: Exchange, { windowMs, looks, vary }: QuietPart): readonly number[] {
  if (looks === 'never') return [];
  const boundaryMs = nextBoundaryMs(anchor.sentMs, windowMs);
  const fromMs = anchor.sentMs + windowMs * 0.12;
  const untilMs = anchor.sentMs + windowMs + scaled(beforeLadderMs, windowMs);
  return [
    ...quietShares
      .slice(0, looksOf[looks])
      .map((share, at) => anchor.sentMs + drawn(vary, share, 'quiet', at) * windowMs),
    ...boundaryOffsetsMs.map(
      (offset, at) => boundaryMs + scaled(drawn(vary, offset, 'boundary', at), windowMs),
    ),
  ]
    .filter((ms) => ms > fromMs && ms < untilMs)
    .sort((left, right) => left - right);
}

/** An offset, ms, that is made for a window of a minute. In windows below 10 s it shrinks with the window. */
export function scaled(offsetMs: number, windowMs: number): number {
  return offsetMs * Math.min(1, windowMs / 10_000);
}

/** The first boundary after a moment of a window that is aligned to the wall clock, ms. */
export function nextBoundaryMs(ms: number, windowMs: number): number {
  return (Math.floor(ms / windowMs) + 1) * windowMs;
}
