import type { Decision, Limiter } from './limiter.ts';
import { type SlidingLog, slidingLog } from './sliding-log.ts';

export type PerSecondCapped<State> = {
  readonly under: State;
  readonly second: SlidingLog;
  /** From when on each of the two would admit a request, if no other came before it. */
  underFreeMs: number;
  secondFreeMs: number;
};

/**
 * No more than `perSecond` requests in any rolling second, on top of another limiter: one reading of the document's
 * *120 per minute (2 per second)*. Both must have a place. The limiter under the cap never sees a request that the cap
 * rejects, and a request that this limiter rejects takes no place in the second: only admitted requests count. The name
 * is that of the limiter, because a cap is identified separately from the algorithm.
 */
export function perSecondCap<State>(
  limiter: Limiter<State>,
  perSecond: number,
): Limiter<PerSecondCapped<State>> {
  const cap = slidingLog({ limit: perSecond, windowMs: 1_000 });

  const rejectedByCap = (state: PerSecondCapped<State>, nowMs: number): Decision => {
    const resetMs = Math.max(state.underFreeMs, state.secondFreeMs);
    return { admitted: false, remaining: 0, resetMs, retryAfterMs: resetMs - nowMs };
  };

  return {
    name: limiter.name,
    limit: limiter.limit,
    windowMs: limiter.windowMs,
    start: () => ({
      under: limiter.start(),
      second: cap.start(),
      underFreeMs: Number.NEGATIVE_INFINITY,
      secondFreeMs: Number.NEGATIVE_INFINITY,
    }),
    decide(state, nowMs): Decision {
      if (nowMs < state.secondFreeMs) return rejectedByCap(state, nowMs);
      const under = limiter.decide(state.under, nowMs);
      state.underFreeMs = under.remaining > 0 ? nowMs : under.resetMs;
      if (!under.admitted) return under;
      const second = cap.decide(state.second, nowMs);
      state.secondFreeMs = second.remaining > 0 ? nowMs : second.resetMs;
      return scarcer(under, second);
    },
    idleFromMs: (state) => Math.max(limiter.idleFromMs(state.under), cap.idleFromMs(state.second)),
  };
}

/** The decision of both together, where both admitted the request. */
function scarcer(one: Decision, other: Decision): Decision {
  const remaining = Math.min(one.remaining, other.remaining);
  const retryAfterMs = Math.max(one.retryAfterMs, other.retryAfterMs);
  return { admitted: true, remaining, resetMs: scarcerResetMs(one, other), retryAfterMs };
}

/** Capacity returns when the limiter with less capacity gets more; where both have the same, when both get more. */
function scarcerResetMs(one: Decision, other: Decision): number {
  if (one.remaining < other.remaining) return one.resetMs;
  return other.remaining < one.remaining ? other.resetMs : Math.max(one.resetMs, other.resetMs);
}
