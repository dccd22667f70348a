import { windowMsAtLeast } from '../contract/bounds.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { Entry } from './entries.ts';
import { once } from './once.ts';

/** Both ends of the intervals of several entries, each ascending. */
export type Bounds = { readonly lows: Float64Array; readonly highs: Float64Array };

/** What counting asks of each entry, by its position: to read it there takes a fraction of the time. */
export type Columns = {
  readonly lowMs: Float64Array;
  readonly highMs: Float64Array;
  /** One bit each, of `bits`. */
  readonly outcome: Uint8Array;
};

/** The outcomes in `Columns`. */
export const bits = { admitted: 1, limited: 2, refused: 4, indeterminate: 8 } as const satisfies Record<
  Outcome,
  number
>;

export const columnsOf = once((entries: readonly Entry[]): Columns => {
  const { length } = entries;
  const [lowMs, highMs] = [new Float64Array(length), new Float64Array(length)];
  const outcome = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) {
    const entry = entries[at] as Entry;
    lowMs[at] = entry.lowMs;
    highMs[at] = entry.highMs;
    outcome[at] = bits[entry.exchange.outcome];
  }
  return { lowMs, highMs, outcome };
});

/** The ends of all of a history's intervals. */
export function everyBound(entries: readonly Entry[]): Bounds {
  return boundsOfThose(entries, bits.admitted | bits.limited | bits.refused | bits.indeterminate);
}

/** Of those that count if rejections do not: admitted, refused, and indeterminate ones. */
export function boundsNotLimited(entries: readonly Entry[]): Bounds {
  return boundsOfThose(entries, bits.admitted | bits.refused | bits.indeterminate);
}

/** Of those that certainly took a place. */
export function boundsAdmitted(entries: readonly Entry[]): Bounds {
  return boundsOfThose(entries, bits.admitted);
}

/** Of those that certainly took a place if rejections do too. */
export function boundsDecided(entries: readonly Entry[]): Bounds {
  return boundsOfThose(entries, bits.admitted | bits.limited);
}

/** By the outcomes that occur: most histories have two, so that several questions are one. */
const known = once((entries: readonly Entry[]) => ({
  present: columnsOf(entries).outcome.reduce((all, bit) => all | bit, 0),
  bounds: new Map<number, Bounds>(),
}));

function boundsOfThose(entries: readonly Entry[], asked: number): Bounds {
  const { present, bounds } = known(entries);
  const wanted = asked & present;
  const before = bounds.get(wanted);
  if (before !== undefined) return before;
  const columns = columnsOf(entries);
  const { lowMs, highMs } = wanted === present ? columns : columnsWith(columns, wanted);
  const found = { lows: ascending(lowMs), highs: ascending(highMs) };
  bounds.set(wanted, found);
  return found;
}

/** The moments of entries with these outcomes; by a loop, since to ask a function of each costs more than all the rest. */
function columnsWith({ lowMs, highMs, outcome }: Columns, wanted: number): Omit<Columns, 'outcome'> {
  let length = 0;
  for (let at = 0; at < outcome.length; at += 1) if (((outcome[at] as number) & wanted) !== 0) length += 1;
  const [lows, highs] = [new Float64Array(length), new Float64Array(length)];
  let count = 0;
  for (let at = 0; at < outcome.length; at += 1) {
    if (((outcome[at] as number) & wanted) === 0) continue;
    lows[count] = lowMs[at] as number;
    highs[count] = highMs[at] as number;
    count += 1;
  }
  return { lowMs: lows, highMs: highs };
}

/**
 * Those of several histories as one; of many keys most have nothing to be counted.
 * @param boundsOf which of a history's; all of them, where nothing else is said.
 */
export function boundsOfAll(
  histories: readonly (readonly Entry[])[],
  boundsOf: (entries: readonly Entry[]) => Bounds = everyBound,
): Bounds {
  const parts = histories.filter(({ length }) => length > 0).map(boundsOf);
  return { lows: joined(parts.map(({ lows }) => lows)), highs: joined(parts.map(({ highs }) => highs)) };
}

/** So few histories are counted one by one: as one they would take as much memory again. */
const apartMax = 8;

/** Those of several histories, to be counted together: each for itself where they are few, else all as one. */
export function boundsToCount(histories: readonly (readonly Entry[])[]): readonly Bounds[] {
  const counted = histories.filter(({ length }) => length > 0);
  return counted.length > apartMax ? [boundsOfAll(counted)] : counted.map(everyBound);
}

/** Ascending parts as one: two at a time, which takes a fraction of sorting. */
function joined(parts: readonly Float64Array[]): Float64Array {
  const [first = new Float64Array(0), second] = parts;
  if (second === undefined) return first;
  const half = parts.length >> 1;
  return merged(joined(parts.slice(0, half)), joined(parts.slice(half)));
}

function merged(one: Float64Array, other: Float64Array): Float64Array {
  const both = new Float64Array(one.length + other.length);
  let [from, otherFrom] = [0, 0];
  for (let at = 0; at < both.length; at += 1) {
    const isOne =
      otherFrom === other.length ||
      (from < one.length && (one[from] as number) <= (other[otherFrom] as number));
    both[at] = (isOne ? one[from] : other[otherFrom]) as number;
    if (isOne) from += 1;
    else otherFrom += 1;
  }
  return both;
}

/** Moments in ascending order; the same where they are. Entries mostly come in the order of sending: to see that takes less than to sort them. */
export function ascending(values: Float64Array): Float64Array {
  for (let at = 1; at < values.length; at += 1)
    if ((values[at] as number) < (values[at - 1] as number)) return values.toSorted();
  return values;
}

function isAdmitted({ exchange }: Entry): boolean {
  return exchange.outcome === 'admitted';
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
  const each = places / (last - first);
  const scale = { first, places, each };
  if (finite < tableFrom || !Number.isFinite(each)) return (value) => countBelow(ascending, value);
  let table: Int32Array | null = null;
  return (value) => {
    // No number at all is above none of them.
    if (!(value > first)) return 0;
    if (value > last) return finite;
    table ??= tableOf(ascending.subarray(0, finite), scale);
    // Values and what is asked about are put in their places by one formula: in an earlier place everything is below.
    const place = ((value - first) * each) >>> 0;
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
    const next = (((value - first) * each) >>> 0) + 1;
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
      below = nearby(ascending, below, value, 'below');
      return below;
    },
    upTo: (value) => {
      upTo = nearby(ascending, upTo, value, 'up-to');
      return upTo;
    },
  };
}

/** The same of several lists together. */
export function countingAlongAll(lists: readonly Float64Array[]): Counting {
  const counting = lists.map(countingAlong);
  const sumOf = (count: (one: Counting) => number): number => {
    let sum = 0;
    for (const one of counting) sum += count(one);
    return sum;
  };
  return {
    below: (value) => sumOf((one) => one.below(value)),
    upTo: (value) => sumOf((one) => one.upTo(value)),
  };
}

/** The count of values below, or up to, a value, looked for from a place near to it, in steps that double. */
function nearby(ascending: Float64Array, from: number, value: number, how: 'below' | 'up-to'): number {
  let low = 0;
  let high = ascending.length;
  if (from < high && isIn(ascending, from, value, how)) {
    low = from + 1;
    let next = low;
    for (let step = 1; next < high && isIn(ascending, next, value, how); step *= 2) {
      low = next + 1;
      next = low + step;
    }
    high = Math.min(next, high);
  } else {
    high = from;
    let next = high - 1;
    for (let step = 1; next >= 0 && !isIn(ascending, next, value, how); step *= 2) {
      high = next;
      next = high - 1 - step;
    }
    low = Math.max(next + 1, 0);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isIn(ascending, middle, value, how)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** With the list and the value given anew each time: a function that knows them would be made for every count. */
function isIn(ascending: Float64Array, at: number, value: number, how: 'below' | 'up-to'): boolean {
  const other = ascending[at] as number;
  return other < value || (how === 'up-to' && other === value);
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
