import type { Limiter, Rate } from './limiter.ts';
import { type SubWindowLog, subWindowLog } from './sub-window-log.ts';

/**
 * An exact log of timestamps in whole seconds, as `floor(now / 1000)` or the seconds of Redis' `TIME` give them. A
 * request leaves once the clock's second is more than `windowMs` later than its own. Thus it holds a place up to a
 * second longer than the window, and never shorter: for a window of whole seconds it decides exactly as counts per
 * second of the clock do. The document has no granularity, so this conforms, but for what is asked only as `should`.
 */
export function wholeSecondsLog(rate: Rate): Limiter<SubWindowLog> {
  return { ...subWindowLog(rate, { subWindowMs: 1_000 }), name: 'whole-seconds-log' };
}
