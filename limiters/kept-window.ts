import { boundaryMs, checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';

export type KeptWindow = { endMs: number; count: number };

const secondMs = 1_000;

/**
 * A counter that its first request begins, and that is kept for the whole seconds which are left of the wall clock's window:
 * `EXPIRE key (60 - now % 60)` in Redis. It ends at the fraction of a second at which it began, so up to a second after
 * the boundary (go-zero's `PeriodLimit` with `Align`).
 */
export function keptWindow(rate: Rate): Limiter<KeptWindow> {
  checkRate(rate);
  const { limit, windowMs } = rate;
  return {
    name: 'kept-window',
    limit,
    windowMs,
    start: () => ({ endMs: Number.NEGATIVE_INFINITY, count: 0 }),
    decide(window, nowMs): Decision {
      if (nowMs >= window.endMs) {
        const secondOf = boundaryMs({ periodMs: secondMs, phaseMs: 0 }, nowMs);
        const gone = secondOf - boundaryMs({ periodMs: windowMs, phaseMs: 0 }, secondOf);
        window.endMs = nowMs + windowMs - gone;
        window.count = 0;
      }
      const admitted = window.count < limit;
      if (admitted) window.count += 1;
      const remaining = limit - window.count;
      return {
        admitted,
        remaining,
        resetMs: window.endMs,
        retryAfterMs: remaining > 0 ? 0 : window.endMs - nowMs,
      };
    },
    idleFromMs: ({ endMs }) => endMs,
  };
}
