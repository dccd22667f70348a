/** Moments in ascending order; the same where they are. Entries mostly come in the order of sending: to see that takes less than to sort them. */
export function ascending(values: Float64Array): Float64Array {
  for (let at = 1; at < values.length; at += 1)
    if ((values[at] as number) < (values[at - 1] as number)) return values.toSorted();
  return values;
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
