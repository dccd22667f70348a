import type { Exchange } from '../contract/exchange.ts';

/** Fractions of the window at which single requests check whether a place came back too early. */
const quietShares = [0.3, 0.5, 0.75] as const;

/** Around the boundary of a window aligned to the wall clock, ms. */
const boundaryOffsetsMs = [-250, 250] as const;

/**
 * Offsets before the anchor can leave the window, ms; and growing offsets after that. The length of the window lies
 * between two rungs.
 */
const rungsBeforeMs = [-1_500, -900, -350, -120, -40, -15] as const;
const lastRungMs = 2_800;
const rungsAfterMs = [15, 40, 75, 120, 200, 350, 600, 1_030, 1_500, 2_100, lastRungMs] as const;

/** After the last of those, the ladder goes on at this interval, ms. */
const lateStepMs = 700;

/**
 * Moments for single requests in the quiet part of the window, ascending, ms. They detect an early return of any kind,
 * and cover both sides of the boundary of the wall clock on purpose: where it lies depends on when the run began.
 */
export function quietMs(anchor: Exchange, windowMs: number): readonly number[] {
  const boundaryMs = nextBoundaryMs(anchor.sentMs, windowMs);
  const fromMs = anchor.sentMs + windowMs * 0.12;
  const untilMs = anchor.sentMs + windowMs + scaled(rungsBeforeMs[0], windowMs);
  return [
    ...quietShares.map((share) => anchor.sentMs + share * windowMs),
    ...boundaryOffsetsMs.map((offset) => boundaryMs + scaled(offset, windowMs)),
  ]
    .filter((ms) => ms > fromMs && ms < untilMs)
    .sort((left, right) => left - right);
}

/** The moments of the ladder, ascending, ms, up to half a window after the anchor should have left. */
export function ladderMs(anchor: Exchange, windowMs: number): readonly number[] {
  const expiryMs = anchor.sentMs + windowMs;
  const answeredMs = (anchor.receivedMs ?? anchor.sentMs) + windowMs;
  const lastMs = answeredMs + lastRungMs;
  const late = Math.max(0, Math.floor((expiryMs + windowMs / 2 - lastMs) / lateStepMs));
  return [
    ...rungsBeforeMs.map((offset) => expiryMs + scaled(offset, windowMs)),
    ...rungsAfterMs.map((offset) => answeredMs + offset),
    ...Array.from({ length: late }, (_, at) => lastMs + (at + 1) * lateStepMs),
  ];
}

/** An offset, ms, that is made for a window of a minute. In windows below 10 s it shrinks with the window. */
export function scaled(offsetMs: number, windowMs: number): number {
  return offsetMs * Math.min(1, windowMs / 10_000);
}

/** The first boundary after a moment of a window that is aligned to the wall clock, ms. */
export function nextBoundaryMs(ms: number, windowMs: number): number {
  return (Math.floor(ms / windowMs) + 1) * windowMs;
}
