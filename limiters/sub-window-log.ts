import { boundaryMs, checkGrid, checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';
import { append, dropUntil, emptyRing, type MomentRing, newestMs, oldestMs } from './moment-ring.ts';

export type SubWindowLog = {
  /** The moments at which the admitted requests leave the window. Those of one sub-window leave together. */
  readonly leaving: MomentRing;
  /** End of the sub-window in which the last request was admitted. */
  subWindowEndMs: number;
};

/** Sub-windows begin at `phaseMs + k · subWindowMs`. */
export type SubWindows = { readonly subWindowMs: number; readonly phaseMs?: number };

/**
 * Counts admitted requests per sub-window of the clock's grid, and adds up the sub-windows that overlap the window. A
 * sub-window leaves as a whole once all of it is older than the window. So a place is held up to `subWindowMs` longer
 * than by an exact log, and never shorter. Figma described it ("An alternative approach to rate limiting", 2017).
 *
 * Products count per sub-window, because that needs little memory. This is a log that puts each request at the end of
 * its sub-window, which decides the same.
 */
export function subWindowLog(rate: Rate, { subWindowMs, phaseMs = 0 }: SubWindows): Limiter<SubWindowLog> {
  checkRate(rate);
  const { limit, windowMs } = rate;
  const grid = { periodMs: subWindowMs, phaseMs };
  checkGrid(grid);
  return {
    name: 'sub-window-log',
    limit,
    windowMs,
    start: () => ({ leaving: emptyRing(limit), subWindowEndMs: Number.NEGATIVE_INFINITY }),
    decide(log, nowMs): Decision {
      const { leaving } = log;
      dropUntil(leaving, nowMs);
      const admitted = leaving.count < limit;
      if (admitted) {
        if (nowMs >= log.subWindowEndMs) log.subWindowEndMs = boundaryMs(grid, nowMs) + subWindowMs;
        append(leaving, log.subWindowEndMs + windowMs);
      }
      const remaining = limit - leaving.count;
      const resetMs = oldestMs(leaving);
      return { admitted, remaining, resetMs, retryAfterMs: remaining > 0 ? 0 : resetMs - nowMs };
    },
    idleFromMs: (log) => newestMs(log.leaving),
  };
}

/**
 * An exact log of timestamps in whole seconds, as `floor(now / 1000)` or the seconds of Redis' `TIME` give them. A
 * request leaves once the clock's second is more than `windowMs` later than its own. So it holds a place up to a second
 * longer than the window, and never shorter. For a window of whole seconds it decides exactly as counts per second of
 * the clock do. The document names no granularity, so this conforms to every `must`, but not to a `should`.
 */
export function wholeSecondsLog(rate: Rate): Limiter<SubWindowLog> {
  return { ...subWindowLog(rate, { subWindowMs: 1_000 }), name: 'whole-seconds-log' };
}
