import type { Admits } from './played.ts';

type Rate = { readonly limit: number; readonly windowMs: number };

type Counting = { readonly countsAll: boolean; readonly clock?: (nowMs: number) => number };

/**
 * A counter of two windows that begin with a request: HAProxy's rates, by ms; Go's Fiber, by a clock of seconds that goes on
 * once a second, at a moment of its own. Each request counts, or each that is admitted.
 */
export function begunCounter(
  { limit, windowMs }: Rate,
  { countsAll, clock = (nowMs) => nowMs }: Counting,
): Admits {
  let state = { beganMs: Number.NaN, before: 0, count: 0 };
  return (trueMs) => {
    const nowMs = clock(trueMs);
    let { beganMs, before, count } = state;
    if (Number.isNaN(beganMs)) beganMs = nowMs;
    if (nowMs - beganMs >= windowMs) [beganMs, before, count] = [beganMs + windowMs, count, 0];
    if (nowMs - beganMs >= windowMs) [beganMs, before] = [nowMs, 0];
    const weighed = Math.floor(before * (1 - (nowMs - beganMs) / windowMs)) + count + 1;
    const admitted = weighed <= limit;
    // What does not count is only read for.
    if (admitted || countsAll) state = { beganMs, before, count: count + 1 };
    return admitted;
  };
}

/** A clock of seconds that goes on once a second, at a moment of its own. */
export function ticking(phaseMs: number): (nowMs: number) => number {
  return (nowMs) => Math.floor((Math.floor((nowMs - phaseMs) / 1_000) * 1_000 + phaseMs) / 1_000) * 1_000;
}
