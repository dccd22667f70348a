import { boundaryMs, type Decision, type Limiter } from './limiter.ts';

const secondMs = 1_000;

/**
 * A limiter that reads a clock of whole seconds (`Math.floor(Date.now() / 1000)`, Redis' `TIME`, `getEpochSecond()`):
 * it decides as if every request came at the beginning of its second.
 * - A token bucket fills in steps, at each second of the wall clock (Spring Cloud Gateway; many scripts for Redis).
 * - A window from the first request ends up to a second earlier, because it began with the second of that request.
 * - The share of a two-bucket counter falls in steps (the sliding limiter of Go's Fiber).
 */
export function wholeSeconds<State>(limiter: Limiter<State>): Limiter<State> {
  return {
    ...limiter,
    decide(state, nowMs): Decision {
      const decision = limiter.decide(state, boundaryMs({ periodMs: secondMs, phaseMs: 0 }, nowMs));
      const resetMs = nextSecondMs(decision.resetMs);
      return {
        ...decision,
        resetMs,
        retryAfterMs: decision.remaining > 0 ? 0 : resetMs - nowMs,
      };
    },
    idleFromMs: (state) => nextSecondMs(limiter.idleFromMs(state)),
  };
}

/** The first whole second that is not before a moment. */
function nextSecondMs(ms: number): number {
  return Number.isFinite(ms) ? Math.ceil(ms / secondMs) * secondMs : ms;
}
