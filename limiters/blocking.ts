import type { Decision, RateWindow } from './limiter.ts';

/** A limit that shuts out for a while whoever it refuses; what is asked meanwhile prolongs nothing. */
export function openBlocking(window: RateWindow, blockMs: number): RateWindow {
  let untilMs = Number.NEGATIVE_INFINITY;
  const refusal = (nowMs: number): Decision => ({
    ...{ admitted: false, remaining: 0 },
    ...{ resetMs: untilMs, retryAfterMs: untilMs - nowMs },
  });
  return {
    decide(nowMs, cost): Decision {
      if (nowMs < untilMs) return refusal(nowMs);
      const decision = window.decide(nowMs, cost);
      if (decision.admitted) return decision;
      untilMs = nowMs + blockMs;
      return refusal(nowMs);
    },
    idleFromMs: () => Math.max(untilMs, window.idleFromMs()),
  };
}
