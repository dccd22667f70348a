import type { Decision, RateWindow } from './limiter.ts';

/**
 * Several limits in a chain, as one middleware after another: each counts the request, until one refuses it. Those after it
 * never hear of it. The figures are those of the first, but while another one refuses.
 */
export function openSeveral(windows: readonly RateWindow[]): RateWindow {
  return {
    decide(nowMs, cost): Decision {
      let first: Decision | undefined;
      for (const window of windows) {
        const decision = window.decide(nowMs, cost);
        first ??= decision;
        if (!decision.admitted) return decision;
      }
      if (first === undefined) throw new Error('a chain needs a limit');
      return first;
    },
    idleFromMs: () => Math.max(...windows.map((window) => window.idleFromMs())),
  };
}
