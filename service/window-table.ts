import type { RateWindow } from '../limiters/limiter.ts';
import { WindowMaps } from './window-maps.ts';

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
  return new SweptTable(sweepMs);
}

/** A class, for its fields hold numbers that change with each request: a variable of a function would be a new object each time. */
class SweptTable implements WindowTable {
  size = 0;
  private readonly sweepMs: number;
  private readonly windows = new WindowMaps();
  private mapSwept = 0;
  private sweeping: Iterator<[string, RateWindow]> | null = null;
  private sweptMs = Number.NaN;
  /** How much the present pass has to look at: the windows, and the end of each map. */
  private pass = 0;
  /** How much is due to be looked at by now; below 1 between requests that come close together. */
  private due = 0;

  constructor(sweepMs: number) {
    this.sweepMs = sweepMs;
  }

  at(windowKey: string, nowMs: number, open: () => RateWindow): RateWindow {
    if (this.windows.isMoving) this.move();
    else this.sweep(nowMs);
    const known = this.windows.find(windowKey);
    if (known !== undefined) return known;
    const opened = open();
    this.windows.add(windowKey, opened);
    this.size += 1;
    return opened;
  }

  private sweep(nowMs: number): void {
    this.pass = Math.max(this.pass, this.size + this.windows.maps.length);
    // Two passes in a span: a window can become idle just after it was looked at.
    this.due += (2 * this.pass * (nowMs - this.sweptMs)) / this.sweepMs || 0;
    this.sweptMs = nowMs;
    if (this.due >= 1) this.lookAtSome(nowMs);
  }

  private lookAtSome(nowMs: number): void {
    const count = Math.min(lookedAtMax, Math.floor(this.due));
    this.due = Math.min(this.due, lookedAtMax) - count;
    for (let looked = 0; looked < count; looked += 1) this.lookAtOne(nowMs);
  }

  private lookAtOne(nowMs: number): void {
    const { maps } = this.windows;
    this.sweeping ??= maps[this.mapSwept]?.entries() ?? null;
    const next = this.sweeping?.next();
    if (next === undefined || next.done === true) {
      this.sweeping = null;
      this.mapSwept = (this.mapSwept + 1) % maps.length;
      if (this.mapSwept === 0) this.pass = 0;
      return;
    }
    const [key, window] = next.value;
    if (window.idleFromMs() > nowMs) return;
    maps[this.mapSwept]?.delete(key);
    this.size -= 1;
  }

  /** A pass does not go on in maps that are no longer there. */
  private move(): void {
    this.windows.moveSome();
    this.sweeping = null;
    this.mapSwept = 0;
  }
}
