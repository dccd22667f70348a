import { hash } from 'node:crypto';

/**
 * Keys of texts, 8 bytes each, so that millions of texts can be compared without holding them. Two of five million
 * different texts have the same key in fewer than one of a million such sets.
 */
export type TextKeys = { readonly high: Uint32Array; readonly low: Uint32Array };

/** Room for so many keys; those that are not set yet are all the same. */
export function textKeys(count: number): TextKeys {
  return { high: new Uint32Array(count), low: new Uint32Array(count) };
}

export function setKey({ high, low }: TextKeys, at: number, text: string): void {
  const digest = hash('sha256', text, 'buffer');
  high[at] = digest.readUInt32LE(0);
  low[at] = digest.readUInt32LE(4);
}

export function isSameKey({ high, low }: TextKeys, one: number, other: number): boolean {
  return high[one] === high[other] && low[one] === low[other];
}

export type KeyedPlaces = {
  /** How many places there are, from 0. */
  readonly count: number;
  /** The key of a place, in two halves of 32 bits: the lower one evenly spread. */
  readonly high: (at: number) => number;
  readonly low: (at: number) => number;
  /** Whether a place is in any group. */
  readonly has: (at: number) => boolean;
};

export function placesOf({ high, low }: TextKeys, count: number): KeyedPlaces {
  return { count, high: (at) => high[at] as number, low: (at) => low[at] as number, has: () => true };
}

/** Marks the first place of a group: no list has so many places. */
const firstMark = 2 ** 31;

/** What finding groups takes: 10 to 16 bytes a place. Whoever looks for groups again and again makes it once. */
export type GroupRoom = {
  /** The place after each one with the same key, plus 1; 0 where there is none. The first of a group has a mark more. */
  readonly next: Uint32Array;
  /** With open addressing: the last place of each key, plus 1. At most two thirds of it are in use. */
  readonly table: Uint32Array;
  isInUse: boolean;
};

/** Room for so many places. */
export function groupRoom(count: number): GroupRoom {
  return {
    next: new Uint32Array(count),
    table: new Uint32Array(2 ** Math.ceil(Math.log2(1.5 * count + 2))),
    isInUse: false,
  };
}

/**
 * Places with the same key, in order; the groups are in the order of their first places.
 * @param room for as many places at least; one search at a time can have it.
 */
export function* groupsOf(places: KeyedPlaces, room = groupRoom(places.count)): Generator<readonly number[]> {
  for (const first of firstsOf(places, room)) yield [...along(first, room)];
}

/** The same without a list of each: a group may hold all of millions of places. Each can be gone through again. */
export function* longGroupsOf(places: KeyedPlaces, room: GroupRoom): Generator<Iterable<number>> {
  for (const first of firstsOf(places, room)) yield { [Symbol.iterator]: () => along(first, room) };
}

function* along(first: number, { next }: GroupRoom): Generator<number> {
  yield first;
  for (let after = (next[first] as number) - firstMark; after !== 0; after = next[after - 1] ?? 0)
    yield after - 1;
}

function* firstsOf(places: KeyedPlaces, room: GroupRoom): Generator<number> {
  if (room.isInUse) throw new Error('other groups are still looked for in this room');
  room.isInUse = true;
  try {
    chain(places, room);
    for (let place = 0; place < places.count; place += 1) {
      if ((room.next[place] as number) >= firstMark) yield place;
    }
  } finally {
    room.isInUse = false;
  }
}

function chain({ count, high, low, has }: KeyedPlaces, { next, table }: GroupRoom): void {
  next.fill(0);
  table.fill(0);
  const mask = table.length - 1;
  for (let at = 0; at < count; at += 1) {
    if (!has(at)) continue;
    const [upper, lower] = [high(at), low(at)];
    let slot = lower & mask;
    for (;;) {
      const last = (table[slot] as number) - 1;
      if (last === -1) next[at] = firstMark;
      else if (high(last) === upper && low(last) === lower) next[last] = (next[last] as number) + at + 1;
      else {
        slot = (slot + 1) & mask;
        continue;
      }
      table[slot] = at + 1;
      break;
    }
  }
}
