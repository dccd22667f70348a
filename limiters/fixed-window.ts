import { boundaryMs, checkGrid, checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';

export type FixedWindow = { startMs: number; count: number };

/** Where windows begin: at `phaseMs + k · windowMs`. */
export type WindowPhase = { readonly phaseMs?: number };

/**
 * Counts from zero at every multiple of `windowMs` since the Unix epoch, or at a phase of its own. The document
 * describes another limiter: here up to twice the limit passes across a boundary, and all capacity returns at once. A
 * counter whose key is the number of the minute works so (@upstash/ratelimit `fixedWindow`; django-ratelimit with a
 * phase from a hash of the key).
 */
export function fixedWindow(rate: Rate, { phaseMs = 0 }: WindowPhase = {}): Limiter<FixedWindow> {
  checkRate(rate);
  const { limit, windowMs } = rate;
  const grid = { periodMs: windowMs, phaseMs };
  checkGrid(grid);
  return {
    name: phaseMs % windowMs === 0 ? 'fixed-window-wall-clock' : 'fixed-window-phase',
    limit,
    windowMs,
    start: () => ({ startMs: Number.NEGATIVE_INFINITY, count: 0 }),
    decide(window, nowMs, cost = 1): Decision {
      if (nowMs >= window.startMs + windowMs) {
        window.startMs = boundaryMs(grid, nowMs);
        window.count = 0;
      }
      const admitted = window.count + cost <= limit;
      if (admitted) window.count += cost;
      const remaining = limit - window.count;
      const resetMs = window.startMs + windowMs;
      return { admitted, remaining, resetMs, retryAfterMs: remaining >= cost ? 0 : resetMs - nowMs };
    },
    idleFromMs: (window) => window.startMs + windowMs,
  };
}
