import type { RateWindow } from '../limiters/limiter.ts';

type Windows = Map<string, RateWindow>;

/**
 * Windows by their key, found, added and forgotten without a pause, however many there are. Few windows are in one map, which
 * finds them soonest. A map that grows copies all that it holds, while requests wait. So a map into which many were put is
 * left before it grows once more, for one with room or for many small ones. While its windows move, it is asked first, and
 * nothing is deleted from it: a window that has moved is the same.
 */
export class WindowMaps {
  /** All windows, where none is moving. They are others after a move. */
  maps: readonly Windows[] = [new Map()];
  /** Windows ever put into the first of the maps, where it is the only one. */
  private put = 0;
  private left: Windows | null = null;
  private moving: Iterator<[string, RateWindow]> | null = null;

  find(windowKey: string): RateWindow | undefined {
    return this.left?.get(windowKey) ?? this.mapOf(windowKey).get(windowKey);
  }

  /** A window of a key that has none. */
  add(windowKey: string, window: RateWindow): void {
    if (this.put === putMax && this.maps.length === 1) this.leave(this.maps[0] as Windows);
    this.set(windowKey, window);
  }

  get isMoving(): boolean {
    return this.moving !== null;
  }

  /** Moves some windows where they have to move; until none has, none may be deleted from `maps`. */
  moveSome(): void {
    for (let moved = 0; this.moving !== null && moved < movedMax; moved += 1) {
      const next = this.moving.next();
      if (next.done !== true) this.set(...next.value);
      else this.left = this.moving = null;
    }
  }

  private mapOf(windowKey: string): Windows {
    return this.maps[this.maps.length === 1 ? 0 : spread(windowKey)] as Windows;
  }

  private set(windowKey: string, window: RateWindow): void {
    this.mapOf(windowKey).set(windowKey, window);
    this.put += 1;
  }

  private leave(from: Windows): void {
    this.left = from;
    this.moving = from.entries();
    this.maps = Array.from({ length: from.size > putMax / 2 ? mapsMax : 1 }, () => new Map());
    this.put = 0;
  }
}

/**
 * Windows that are ever put into one map. One more would double a map of V8 that holds more than half as many, in 15 to 25
 * ms; the time before, it took 5.
 */
const putMax = 131_072;

/** A table of more windows than that is as many small maps. */
const mapsMax = 256;

/** Windows moved at once. */
const movedMax = 16;

/** The end of a key varies most. Where keys end alike, one map holds them all, which is slower but not wrong. */
function spread(windowKey: string): number {
  const { length } = windowKey;
  let sum = length;
  for (let index = Math.max(0, length - 4); index < length; index += 1)
    sum = (sum * 31 + windowKey.charCodeAt(index)) & 0xff_ff;
  return (sum ^ (sum >> 8)) % mapsMax;
}
