/**
 * A rate limiter as a deterministic state machine. It reads no clock: every decision gets its moment, in ms on the
 * service's clock, and moments must not go back. States may be updated in place.
 */
export type Limiter<State> = {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  start(): State;
  /**
   * @param cost how many places the request takes; it passes whole or not at all. Left out: 1. Limiters that know requests
   * of one cost alone take each for 1.
   */
  decide(state: State, nowMs: number, cost?: number): Decision;
  /** From this moment on the state equals a fresh one and can be dropped; -Infinity where it is fresh. */
  idleFromMs(state: State): number;
};

/** A limiter's answer to one request, and its state right after that. Times are ms on the service's clock. */
export type Decision = {
  readonly admitted: boolean;
  /** Further requests of cost 1 that would be admitted at this very moment. */
  readonly remaining: number;
  /**
   * When capacity next returns. Where requests leave one by one, that is when the oldest leaves; where all leave
   * together, when the window ends.
   */
  readonly resetMs: number;
  /** The shortest wait from this moment after which such a request is admitted, if no other request comes before it. */
  readonly retryAfterMs: number;
  /** How long an admitted request waits for its answer; absent where it is answered at once. */
  readonly delayMs?: number;
};

/** One count in progress: a limiter and its state, of any type. */
export type RateWindow = {
  decide(nowMs: number, cost?: number): Decision;
  idleFromMs(): number;
};

export function openWindow<State>(limiter: Limiter<State>): RateWindow {
  return new OpenWindow(limiter);
}

/** Of many windows most hold little, so a class: functions of its own would cost each as much as what it holds. */
class OpenWindow<State> implements RateWindow {
  private readonly limiter: Limiter<State>;
  private readonly state: State;

  constructor(limiter: Limiter<State>) {
    this.limiter = limiter;
    this.state = limiter.start();
  }

  decide(nowMs: number, cost?: number): Decision {
    return this.limiter.decide(this.state, nowMs, cost);
  }

  idleFromMs(): number {
    return this.limiter.idleFromMs(this.state);
  }
}

/** How many requests in how long. */
export type Rate = { readonly limit: number; readonly windowMs: number };

/** Whether a limiter can keep such a rate. */
export function canBeKept({ limit, windowMs }: Rate): boolean {
  return (
    Number.isSafeInteger(limit) &&
    limit >= 1 &&
    limit <= limitMax &&
    Number.isFinite(windowMs) &&
    windowMs > 0
  );
}

/** @throws {RangeError} where no limiter can keep such a rate. */
export function checkRate({ limit, windowMs }: Rate): void {
  checkLimit(limit);
  if (!Number.isFinite(windowMs) || windowMs <= 0) {
    throw new RangeError(`a window must be longer than 0 ms, not ${windowMs}`);
  }
}

/** @throws {RangeError} where the limit is not an integer from 1 to `limitMax`. */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > limitMax) {
    throw new RangeError(`a limit must be an integer from 1 to ${limitMax}, not ${limit}`);
  }
}

/** A log keeps 8 bytes a request, and half as many places free at most when it is full: this bounds one count at 16 MB. */
const limitMax = 1_000_000;

/** The grid of a clock: its boundaries are at `phaseMs + k · periodMs`, for every integer k. */
export type Grid = { readonly periodMs: number; readonly phaseMs: number };

/** @throws {RangeError} where the period or the phase gives no boundaries. */
export function checkGrid({ periodMs, phaseMs }: Grid): void {
  if (!Number.isFinite(periodMs) || periodMs <= 0) {
    throw new RangeError(`a grid's period must be longer than 0 ms, not ${periodMs}`);
  }
  if (!Number.isFinite(phaseMs)) throw new RangeError(`a grid's phase must be finite, not ${phaseMs}`);
}

/** The last boundary at or before `nowMs`. */
export function boundaryMs({ periodMs, phaseMs }: Grid, nowMs: number): number {
  const startMs = phaseMs + Math.floor((nowMs - phaseMs) / periodMs) * periodMs;
  // Division rounds: a moment less than a nanosecond from a boundary can land on its wrong side.
  if (startMs > nowMs) return startMs - periodMs;
  return startMs + periodMs <= nowMs ? startMs + periodMs : startMs;
}
