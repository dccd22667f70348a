import type { Decision, Limiter } from './limiter.ts';
import { type SlidingLog, slidingLog } from './sliding-log.ts';

export type PerSecondCapped<State> = {
  readonly under: State;
  readonly second: SlidingLog;
  /** From then on each of the two would admit a request, if none came in between. */
  underFreeMs: number;
  secondFreeMs: number;
};

/**
 * No more than `perSecond` requests in any rolling second, on top of another limiter: one reading of the document's
 * *120 per minute (2 per second)*. Both must have a place. A request that the cap rejects is never shown to the limiter
 * under it, and one which that limiter rejects takes no place in the second: only what passed counts. It keeps that
 * limiter's name, as a cap is told apart from the algorithm.
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

/** What both admit, of two that admitted the request. */
function scarcer(one: Decision, other: Decision): Decision {
  const remaining = Math.min(one.remaining, other.remaining);
  const retryAfterMs = Math.max(one.retryAfterMs, other.retryAfterMs);
  return { admitted: true, remaining, resetMs: scarcerResetMs(one, other), retryAfterMs };
}

/** Capacity returns when the one that has less gets more; where both have as little, when both have. */
function scarcerResetMs(one: Decision, other: Decision): number {
  if (one.remaining < other.remaining) return one.resetMs;
  return other.remaining < one.remaining ? other.resetMs : Math.max(one.resetMs, other.resetMs);
}
