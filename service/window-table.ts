import type { RateWindow } from '../limiters/limiter.ts';
import { createWindowMaps } from './window-maps.ts';

/** Open windows by their key. */
export type WindowTable = {
  /** The window of a key, opened where there is none. */
  at(windowKey: string, nowMs: number, open: () => RateWindow): RateWindow;
  readonly size: number;
};

/** Windows looked at in one request at most: a bound on how long it waits. */
const lookedAtMax = 4_096;

/**
 * Forgets windows that are idle, some with each request, so that no request waits while all are looked at. Each is
 * looked at within `sweepMs`, where requests come often enough: whatever the keys, it holds about as many windows as were in
 * use in the last two of these spans.
 */
export function createWindowTable(sweepMs: number): WindowTable {
  const windows = createWindowMaps();
  let size = 0;
  let mapSwept = 0;
  let sweeping: Iterator<[string, RateWindow]> | null = null;
  let sweptMs = Number.NaN;
  /** How much the present pass has to look at: the windows, and the end of each map. */
  let pass = 0;
  /** How much is due to be looked at by now; below 1 between requests that come close together. */
  let due = 0;

  const lookAtOne = (nowMs: number): void => {
    sweeping ??= windows.maps[mapSwept]?.entries() ?? null;
    const next = sweeping?.next();
    if (next === undefined || next.done === true) {
      sweeping = null;
      mapSwept = (mapSwept + 1) % windows.maps.length;
      if (mapSwept === 0) pass = 0;
      return;
    }
    const [key, window] = next.value;
    if (window.idleFromMs() > nowMs) return;
    windows.maps[mapSwept]?.delete(key);
    size -= 1;
  };

  const sweep = (nowMs: number): void => {
    pass = Math.max(pass, size + windows.maps.length);
    // Two passes in a span: a window can become idle just after it was looked at.
    due += (2 * pass * (nowMs - sweptMs)) / sweepMs || 0;
    sweptMs = nowMs;
    if (due < 1) return;
    const count = Math.min(lookedAtMax, Math.floor(due));
    due = Math.min(due, lookedAtMax) - count;
    for (let looked = 0; looked < count; looked += 1) lookAtOne(nowMs);
  };

  /** A pass does not go on in maps that are no longer there. */
  const move = (): void => {
    windows.moveSome();
    sweeping = null;
    mapSwept = 0;
  };

  return {
    at(windowKey, nowMs, open) {
      if (windows.isMoving) move();
      else sweep(nowMs);
      const known = windows.find(windowKey);
      if (known !== undefined) return known;
      const opened = open();
      windows.add(windowKey, opened);
      size += 1;
      return opened;
    },
    get size() {
      return size;
    },
  };
}
