import { windowMsAtLeast } from '../contract/bounds.ts';
import type { Entry } from './entries.ts';

/** Both ends of the intervals of several entries, each ascending. */
export type Bounds = { readonly lows: Float64Array; readonly highs: Float64Array };

/** The ends of all of a history's intervals. */
export const everyBound = once(boundsOf);

/** Of those that count if rejections do not: admitted, refused, and indeterminate ones. */
export const boundsNotLimited = once((entries) => boundsOf(entries.filter((entry) => !isLimited(entry))));

/** Of those that certainly took a place. */
export const boundsAdmitted = once((entries) => boundsOf(entries.filter(isAdmitted)));

/** Of those that certainly took a place if rejections do too. */
export const boundsDecided = once((entries) =>
  boundsOf(entries.filter((entry) => isAdmitted(entry) || isLimited(entry))),
);

export function boundsOf(entries: readonly Entry[]): Bounds {
  const lows = new Float64Array(entries.length);
  const highs = new Float64Array(entries.length);
  entries.forEach((entry, at) => {
    lows[at] = entry.lowMs;
    highs[at] = entry.highMs;
  });
  return { lows: lows.sort(), highs: highs.sort() };
}

function isAdmitted({ exchange }: Entry): boolean {
  return exchange.outcome === 'admitted';
}

function isLimited({ exchange }: Entry): boolean {
  return exchange.outcome === 'limited';
}

/** Several judges ask the same of one history, and a history never changes: it is worked out once. */
function once(compute: (entries: readonly Entry[]) => Bounds): (entries: readonly Entry[]) => Bounds {
  const known = new WeakMap<readonly Entry[], Bounds>();
  return (entries) => {
    const before = known.get(entries);
    if (before !== undefined) return before;
    const computed = compute(entries);
    known.set(entries, computed);
    return computed;
  };
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

/**
 * How many requests were surely in the window when an answer was given, its own among them if it was admitted.
 * @param sure of those of its key and scope that surely took a place.
 */
export function surelyCounted(sure: Bounds, windowMs: number): (entry: Entry) => number {
  const shortestMs = windowMsAtLeast(windowMs);
  return (entry) => {
    const before = countBelow(sure.highs, entry.lowMs) - countUpTo(sure.lows, entry.highMs - shortestMs);
    return Math.max(0, before) + (isAdmitted(entry) ? 1 : 0);
  };
}
