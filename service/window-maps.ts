import type { RateWindow } from '../limiters/limiter.ts';

type Windows = Map<string, RateWindow>;

/** Windows by their key, found, added and forgotten without a pause, however many there are. */
export type WindowMaps = {
  find(windowKey: string): RateWindow | undefined;
  /** A window of a key that has none. */
  add(windowKey: string, window: RateWindow): void;
  /** Moves some windows where they have to move; until none has, none may be deleted from `maps`. */
  readonly moveSome: () => void;
  readonly isMoving: boolean;
  /** All windows, where none is moving. They are others after a move. */
  readonly maps: readonly Windows[];
};

/**
 * Few windows are in one map, which finds them soonest. A map that grows copies all that it holds, while requests wait. So a
 * map into which many were put is left before it grows once more, for one with room or for many small ones. While its
 * windows move, it is asked first, and nothing is deleted from it: a window that has moved is the same.
 */
export function createWindowMaps(): WindowMaps {
  let maps: readonly Windows[] = [new Map()];
  /** Windows ever put into the first of the maps, where it is the only one. */
  let put = 0;
  let left: Windows | null = null;
  let moving: Iterator<[string, RateWindow]> | null = null;

  const mapOf = (windowKey: string): Windows => maps[maps.length === 1 ? 0 : spread(windowKey)] as Windows;

  const leave = (from: Windows): void => {
    left = from;
    moving = from.entries();
    maps = Array.from({ length: from.size > putMax / 2 ? mapsMax : 1 }, () => new Map());
    put = 0;
  };

  const add = (windowKey: string, window: RateWindow): void => {
    mapOf(windowKey).set(windowKey, window);
    put += 1;
  };

  return {
    find: (windowKey) => left?.get(windowKey) ?? mapOf(windowKey).get(windowKey),
    add(windowKey, window) {
      if (put === putMax && maps.length === 1) leave(maps[0] as Windows);
      add(windowKey, window);
    },
    moveSome() {
      for (let moved = 0; moving !== null && moved < movedMax; moved += 1) {
        const next = moving.next();
        if (next.done !== true) add(...next.value);
        else left = moving = null;
      }
    },
    get isMoving() {
      return moving !== null;
    },
    get maps() {
      return maps;
    },
  };
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
