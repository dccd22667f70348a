import { boundaryMs, checkGrid, type Decision, type Limiter } from './limiter.ts';

/**
 * A limiter that reads a clock of whole seconds (`Math.floor(Date.now() / 1000)`, Redis' `TIME`, `getEpochSecond()`):
 * it decides as if every request came at the beginning of its second.
 * - A token bucket fills in steps, at each second of the wall clock (Spring Cloud Gateway; many scripts for Redis).
 * - A window from the first request ends up to a second earlier, because it began with the second of that request.
 * - The share of a two-bucket counter falls in steps (the sliding limiter of Go's Fiber).
 */
export function wholeSeconds<State>(limiter: Limiter<State>): Limiter<State> {
  return inSteps(limiter, { stepMs: 1_000 });
}

/** A clock goes on at `phaseMs + k · stepMs`. */
export type Steps = { readonly stepMs: number; readonly phaseMs?: number };

/**
 * A limiter whose clock goes on in steps of any length. A token bucket then is refilled with many tokens at once, at
 * intervals (Bucket4j's `refillIntervally`, @upstash/ratelimit, juju/ratelimit with a quantum).
 */
export function inSteps<State>(limiter: Limiter<State>, { stepMs, phaseMs = 0 }: Steps): Limiter<State> {
  const grid = { periodMs: stepMs, phaseMs };
  checkGrid(grid);
  /** The first step that is not before a moment. */
  const nextMs = (ms: number): number => {
    if (!Number.isFinite(ms)) return ms;
    const startMs = boundaryMs(grid, ms);
    return startMs === ms ? ms : startMs + stepMs;
  };
  return {
    ...limiter,
    decide(state, nowMs): Decision {
      const decision = limiter.decide(state, boundaryMs(grid, nowMs));
      const resetMs = nextMs(decision.resetMs);
      return { ...decision, resetMs, retryAfterMs: decision.remaining > 0 ? 0 : resetMs - nowMs };
    },
    idleFromMs: (state) => nextMs(limiter.idleFromMs(state)),
  };
}
