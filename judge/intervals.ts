import { windowMsAtLeast } from '../contract/bounds.ts';
import type { Entry } from './entries.ts';
import { once } from './once.ts';

/** Both ends of the intervals of several entries, each ascending. */
export type Bounds = { readonly lows: Float64Array; readonly highs: Float64Array };

/** The ends of all of a history's intervals. */
export const everyBound = once(boundsOf);

/** Of those that count if rejections do not: admitted, refused, and indeterminate ones. */
export const boundsNotLimited = once((entries: readonly Entry[]) =>
  boundsOf(entries.filter((entry) => !isLimited(entry))),
);

/** Of those that certainly took a place. */
export const boundsAdmitted = once((entries: readonly Entry[]) => boundsOf(entries.filter(isAdmitted)));

/** Of those that certainly took a place if rejections do too. */
export const boundsDecided = once((entries: readonly Entry[]) =>
  boundsOf(entries.filter((entry) => isAdmitted(entry) || isLimited(entry))),
);

export function boundsOf(entries: readonly Entry[]): Bounds {
  const lows = new Float64Array(entries.length);
  const highs = new Float64Array(entries.length);
  entries.forEach((entry, at) => {
    lows[at] = entry.lowMs;
    highs[at] = entry.highMs;
  });
  return { lows: ascending(lows), highs: ascending(highs) };
}

/** Entries mostly come in the order of sending: to see that takes less than to sort them. */
function ascending(values: Float64Array): Float64Array {
  for (let at = 1; at < values.length; at += 1)
    if ((values[at] as number) < (values[at - 1] as number)) return values.sort();
  return values;
}

function isAdmitted({ exchange }: Entry): boolean {
  return exchange.outcome === 'admitted';
}

function isLimited({ exchange }: Entry): boolean {
  return exchange.outcome === 'limited';
}

/** How many of the ascending values are below a value. */
export function countBelow(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** More values than these are worth a table. */
const tableFrom = 32;

/** Places of a table for each value. */
const placesEach = 4;

/**
 * How many of the ascending values are below a value, for those that are asked about many thousand times: a table says
 * between which of them it lies. Times come in bursts, so that most moments lie in a gap, where nothing is left to search.
 */
export function countsBelow(ascending: Float64Array): (value: number) => number {
  const finite = countBelow(ascending, Number.POSITIVE_INFINITY);
  const first = ascending[0] as number;
  const last = ascending[finite - 1] as number;
  const places = placesEach * finite;
  const scale = { first, places, each: places / (last - first) };
  if (finite < tableFrom || !Number.isFinite(scale.each)) return (value) => countBelow(ascending, value);
  let table: Int32Array | null = null;
  return (value) => {
    // No number at all is above none of them.
    if (!(value > first)) return 0;
    if (value > last) return finite;
    table ??= tableOf(ascending.subarray(0, finite), scale);
    // Values and what is asked about are put in their places by one formula: in an earlier place everything is below.
    const place = Math.trunc((value - first) * scale.each);
    let low = table[place] as number;
    let high = table[place + 1] as number;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ascending[middle] as number) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

type Scale = { readonly first: number; readonly places: number; readonly each: number };

/** How many values lie before each place. */
function tableOf(values: Float64Array, { first, places, each }: Scale): Int32Array {
  // By rounding the last value may come one place later than the last one.
  const table = new Int32Array(places + 3);
  for (const value of values) {
    const next = Math.trunc((value - first) * each) + 1;
    table[next] = (table[next] as number) + 1;
  }
  for (let at = 1; at < table.length; at += 1) table[at] = (table[at] as number) + (table[at - 1] as number);
  return table;
}

/** How many of the ascending values, or of the first `length` of them, are at most a value. */
export function countUpTo(ascending: Float64Array, value: number, length = ascending.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counts values below, or up to, one after another. */
export type Counting = {
  readonly below: (value: number) => number;
  readonly upTo: (value: number) => number;
};

/**
 * The counts of `countBelow` and `countUpTo`, for those that ask about one entry after another in the order in which they
 * were sent: the next answer lies near the one before, whatever the length of the list.
 */
export function countingAlong(ascending: Float64Array): Counting {
  let [below, upTo] = [0, 0];
  return {
    below: (value) => {
      below = nearby(ascending, below, (other) => other < value);
      return below;
    },
    upTo: (value) => {
      upTo = nearby(ascending, upTo, (other) => other <= value);
      return upTo;
    },
  };
}

/** The length of the beginning for which something holds, looked for from a place near to it, in steps that double. */
function nearby(ascending: Float64Array, from: number, holds: (value: number) => boolean): number {
  let low = 0;
  let high = ascending.length;
  if (from < high && holds(ascending[from] as number)) {
    low = from + 1;
    let next = low;
    for (let step = 1; next < high && holds(ascending[next] as number); step *= 2) {
      low = next + 1;
      next = low + step;
    }
    high = Math.min(next, high);
  } else {
    high = from;
    let next = high - 1;
    for (let step = 1; next >= 0 && !holds(ascending[next] as number); step *= 2) {
      high = next;
      next = high - 1 - step;
    }
    low = Math.max(next + 1, 0);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(ascending[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * How many requests were surely in the window when an answer was given, its own among them if it was admitted.
 * @param sure of those of its key and scope that surely took a place.
 */
export function surelyCounted(sure: Bounds, windowMs: number): (entry: Entry) => number {
  const shortestMs = windowMsAtLeast(windowMs);
  const answered = countingAlong(sure.highs);
  const left = countingAlong(sure.lows);
  return (entry) => {
    const before = answered.below(entry.lowMs) - left.upTo(entry.highMs - shortestMs);
    return Math.max(0, before) + (isAdmitted(entry) ? 1 : 0);
  };
}
