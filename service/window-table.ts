import type { RateWindow } from '../limiters/limiter.ts';

/** Open windows by their key. */
export type WindowTable = {
  /** The window of a key, opened where there is none. */
  at(windowKey: string, nowMs: number, open: () => RateWindow): RateWindow;
  readonly size: number;
};

/**
 * Forgets windows that are idle, once in `sweepMs`. Whatever the keys, it holds no more windows than were in use in
 * the last two of these spans, so that sweeping costs O(1) amortised a request.
 */
export function createWindowTable(sweepMs: number): WindowTable {
  const windows = new Map<string, RateWindow>();
  let sweepAtMs = Number.NEGATIVE_INFINITY;

  const sweep = (nowMs: number): void => {
    for (const [key, window] of windows) {
      if (window.idleFromMs() <= nowMs) windows.delete(key);
    }
    sweepAtMs = nowMs + sweepMs;
  };

  return {
    at(windowKey, nowMs, open) {
      if (nowMs >= sweepAtMs) sweep(nowMs);
      const known = windows.get(windowKey);
      if (known !== undefined) return known;
      const opened = open();
      windows.set(windowKey, opened);
      return opened;
    },
    get size() {
      return windows.size;
    },
  };
}
