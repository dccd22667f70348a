import { fixedWindow } from './fixed-window.ts';
import { minimumGap } from './leaky-bucket.ts';
import type { Decision, Limiter, Rate } from './limiter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './token-bucket.ts';

export type PerSecondCapped<State> = {
  readonly under: State;
  readonly second: unknown;
  /** From when on each of the two would admit a request, if no other came before it. */
  underFreeMs: number;
  secondFreeMs: number;
};

/** What a cap of so many requests per second can mean. */
export const capKinds = ['rolling-second', 'calendar-second', 'token-bucket', 'minimum-gap'] as const;

export type CapKind = (typeof capKinds)[number];

const capOf: Readonly<Record<CapKind, (rate: Rate) => Limiter<unknown>>> = {
  'rolling-second': (rate) => slidingLog(rate) as Limiter<unknown>,
  'calendar-second': (rate) => fixedWindow(rate) as Limiter<unknown>,
  'token-bucket': (rate) => tokenBucket(rate) as Limiter<unknown>,
  'minimum-gap': (rate) => minimumGap(rate) as Limiter<unknown>,
};

/**
 * No more than `perSecond` requests per second, on top of another limiter: readings of the document's *120 per minute (2
 * per second)*. A second is a rolling one where `kind` does not say otherwise. Both must have a place. The limiter under the cap never sees a request that the cap
 * rejects, and a request that this limiter rejects takes no place in the second: only admitted requests count. The name
 * is that of the limiter, because a cap is identified separately from the algorithm.
 */
export function perSecondCap<State>(
  limiter: Limiter<State>,
  perSecond: number,
  kind: CapKind = 'rolling-second',
): Limiter<PerSecondCapped<State>> {
  const cap = capOf[kind]({ limit: perSecond, windowMs: 1_000 });

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
