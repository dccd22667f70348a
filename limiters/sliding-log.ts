import { checkRate, type Decision, type Limiter, type Rate, type RateWindow } from './limiter.ts';
import {
  append,
  dropUntil,
  emptyRing,
  type MomentRing,
  newestMs,
  nthOldestMs,
  oldestMs,
} from './moment-ring.ts';

/** The moments at which the admitted requests leave the window. */
export type SlidingLog = MomentRing;

/**
 * The limiter that the document describes: no more than `limit` requests in any window `(t − windowMs, t]`, exactly. A
 * request admitted at `t` gives its place back at `t + windowMs`, and rejected requests take none. A decision costs
 * O(1) amortised, because each request leaves the ring once. A count costs about 8 to 32 bytes for each request in its window.
 */
export function slidingLog(rate: Rate): Limiter<SlidingLog> {
  checkRate(rate);
  const { limit, windowMs } = rate;
  return {
    name: 'sliding-log',
    limit,
    windowMs,
    start: () => emptyRing(limit),
    decide: (log, nowMs, cost = 1) => decideIn(log, { windowMs, nowMs }, cost),
    idleFromMs: newestMs,
  };
}

/**
 * An open sliding log. It decides as `openWindow(slidingLog(rate))` does, and is one object where that is two: of many
 * counts, each costs less memory and is found sooner.
 * @throws {RangeError} where no limiter can keep such a rate.
 */
export function openSlidingLog(rate: Rate): RateWindow {
  checkRate(rate);
  return new OpenSlidingLog(rate);
}

class OpenSlidingLog implements RateWindow, SlidingLog {
  readonly capacity: number;
  private readonly windowMs: number;
  atMs: number[];
  head = 0;
  count = 0;

  constructor({ limit, windowMs }: Rate) {
    this.capacity = limit;
    this.windowMs = windowMs;
    this.atMs = emptyRing(limit).atMs;
  }

  decide(nowMs: number, cost = 1): Decision {
    return decideIn(this, { windowMs: this.windowMs, nowMs }, cost);
  }

  idleFromMs(): number {
    return newestMs(this);
  }
}

function decideIn(log: SlidingLog, moment: Moment, cost: number): Decision {
  return cost === 1 ? decideOnOne(log, moment) : decideOnSeveral(log, moment, cost);
}

type Moment = { readonly windowMs: number; readonly nowMs: number };

/** A request of cost 1, as most are: the steps of `decideOnSeveral` without its loop. */
function decideOnOne(log: SlidingLog, { windowMs, nowMs }: Moment): Decision {
  dropUntil(log, nowMs);
  const admitted = log.count < log.capacity;
  if (admitted) append(log, nowMs + windowMs);
  const remaining = log.capacity - log.count;
  const resetMs = oldestMs(log);
  return { admitted, remaining, resetMs, retryAfterMs: remaining > 0 ? 0 : resetMs - nowMs };
}

function decideOnSeveral(log: SlidingLog, { windowMs, nowMs }: Moment, cost: number): Decision {
  dropUntil(log, nowMs);
  const admitted = log.count + cost <= log.capacity;
  if (admitted) for (let taken = 0; taken < cost; taken += 1) append(log, nowMs + windowMs);
  const remaining = log.capacity - log.count;
  // It costs more than the limit, and never passes: no moment is the one at which it would.
  if (log.count === 0) return { admitted, remaining, resetMs: nowMs + windowMs, retryAfterMs: windowMs };
  const resetMs = oldestMs(log);
  const retryAfterMs = remaining >= cost ? 0 : nthOldestMs(log, cost - remaining) - nowMs;
  return { admitted, remaining, resetMs, retryAfterMs };
}
