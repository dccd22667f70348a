import type { RateWindow } from './limiter.ts';

/** Whether all that was counted is forgotten at a moment, after a request at an earlier one; ms. */
export type Forgets = (nowMs: number, previousMs: number) => boolean;

/** A limit whose counts are lost after some pauses: it begins anew then. */
export function openForgetful(open: () => RateWindow, forgets: Forgets): RateWindow {
  let window = open();
  let previousMs = Number.NEGATIVE_INFINITY;
  return {
    decide(nowMs, cost) {
      if (forgets(nowMs, previousMs)) window = open();
      previousMs = nowMs;
      return window.decide(nowMs, cost);
    },
    idleFromMs: () => window.idleFromMs(),
  };
}
