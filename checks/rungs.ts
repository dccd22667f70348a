import type { Exchange } from '../contract/exchange.ts';
import { drawn, type Vary } from './variation.ts';

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

/**
 * Offsets before the anchor can leave the window, ms; and growing offsets after that. The length of the window lies
 * between two rungs.
 */
const rungsBeforeMs = [-1_500, -900, -350, -120, -40, -15] as const;
const lastRungMs = 2_800;
const rungsAfterMs = [15, 40, 75, 120, 200, 350, 600, 1_030, 1_500, 2_100, lastRungMs] as const;

/** After the last of those, the ladder goes on at this interval, ms; in windows beyond a minute at a longer one. */
const lateStepMs = 700;

/** The most rungs after those. */
const lateRungsMax = 39;

/** The most rungs of a ladder. */
export const rungsMax = rungsBeforeMs.length + rungsAfterMs.length + lateRungsMax;

/**
 * Moments for single requests in the quiet part of the window, ascending, ms. They detect an early return of any kind,
 * and cover both sides of the boundary of the wall clock on purpose: where it lies depends on when the run began.
 */
export function quietMs(anchor: Exchange, windowMs: number, vary: Vary | null): readonly number[] {
  const boundaryMs = nextBoundaryMs(anchor.sentMs, windowMs);
  const fromMs = anchor.sentMs + windowMs * 0.12;
  const untilMs = anchor.sentMs + windowMs + scaled(rungsBeforeMs[0], windowMs);
  return [
    ...quietShares.map((share, at) => anchor.sentMs + drawn(vary, share, 'quiet', at) * windowMs),
    ...boundaryOffsetsMs.map(
      (offset, at) => boundaryMs + scaled(drawn(vary, offset, 'boundary', at), windowMs),
    ),
  ]
    .filter((ms) => ms > fromMs && ms < untilMs)
    .sort((left, right) => left - right);
}

/** The moments of the ladder, ascending, ms, up to half a window after the anchor should have left. */
export function ladderMs(anchor: Exchange, windowMs: number, vary: Vary | null): readonly number[] {
  const expiryMs = anchor.sentMs + windowMs;
  const answeredMs = (anchor.receivedMs ?? anchor.sentMs) + windowMs;
  const lastMs = answeredMs + lastRungMs;
  const lateSpanMs = Math.max(0, expiryMs + windowMs / 2 - lastMs);
  const stepMs = Math.max(lateStepMs, lateSpanMs / lateRungsMax);
  const late = Math.floor(lateSpanMs / stepMs);
  return [
    ...rungsBeforeMs.map((offset) => expiryMs + scaled(rungMs(offset, vary), windowMs)),
    ...rungsAfterMs.map((offset) => answeredMs + rungMs(offset, vary)),
    ...Array.from({ length: late }, (_, at) => lastMs + (at + 1) * stepMs),
  ].sort((left, right) => left - right);
}

/** A rung moves outwards by a little: further inwards, and a window a bit too long would fall between two of them. */
function rungMs(offsetMs: number, vary: Vary | null): number {
  return offsetMs * drawn(vary, { usual: 1, least: 1, most: 1.05 }, 'rung', Math.abs(offsetMs));
}

/** An offset, ms, that is made for a window of a minute. In windows below 10 s it shrinks with the window. */
export function scaled(offsetMs: number, windowMs: number): number {
  return offsetMs * Math.min(1, windowMs / 10_000);
}

/** The first boundary after a moment of a window that is aligned to the wall clock, ms. */
export function nextBoundaryMs(ms: number, windowMs: number): number {
  return (Math.floor(ms / windowMs) + 1) * windowMs;
}
