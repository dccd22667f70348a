import { windowMsAtLeast } from '../contract/bounds.ts';
import { once } from '../contract/once.ts';
import type { Outcome } from '../contract/outcome.ts';
import { ascending, countBelow, countingAlong, countUpTo } from './counting.ts';
import type { Entry } from './entries.ts';

/** Both ends of the intervals of several entries, each ascending. */
export type Bounds = { readonly lows: Float64Array; readonly highs: Float64Array };

/**
 * How many of them may have been counted at some moment from `fromMs` to `toMs`. What had ended before the one was sent before the
 * other, so that two counts tell it of each of many thousand requests.
 */
export function countWithin({ lows, highs }: Bounds, fromMs: number, toMs: number): number {
  return countUpTo(lows, toMs) - countBelow(highs, fromMs);
}

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

/**
 * Ascending parts as one: two at a time, which takes a fraction of sorting. All is written from one list to another and back:
 * a list for each two would take, of many keys, as much memory as the trace itself.
 */
function joined(parts: readonly Float64Array[]): Float64Array {
  const [first = new Float64Array(0), second] = parts;
  if (second === undefined) return first;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let [from, to] = [new Float64Array(length), new Float64Array(length)];
  let ends: number[] = [];
  for (const part of parts) {
    const start = ends.at(-1) ?? 0;
    from.set(part, start);
    ends.push(start + part.length);
  }
  while (ends.length > 1) {
    ends = mergeTwoByTwo(to, from, ends);
    [from, to] = [to, from];
  }
  return from;
}

/** Writes each two neighbours of one list as one to the same places of another; gives where these end. */
function mergeTwoByTwo(to: Float64Array, from: Float64Array, ends: readonly number[]): number[] {
  const merged: number[] = [];
  for (let at = 0; at < ends.length; at += 2) {
    const middle = ends[at] as number;
    const end = ends[at + 1] ?? middle;
    mergeInto(to, from, { start: merged.at(-1) ?? 0, middle, end });
    merged.push(end);
  }
  return merged;
}

/** Two neighbours, each of them ascending. */
type Runs = { readonly start: number; readonly middle: number; readonly end: number };

/** Writes what lies in two ascending runs of one list to the same places of another, all of it ascending. */
function mergeInto(to: Float64Array, from: Float64Array, { start, middle, end }: Runs): void {
  let [one, other] = [start, middle];
  for (let at = start; at < end; at += 1) {
    const isOne = other === end || (one < middle && (from[one] as number) <= (from[other] as number));
    to[at] = (isOne ? from[one] : from[other]) as number;
    if (isOne) one += 1;
    else other += 1;
  }
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

function isAdmitted({ exchange }: Entry): boolean {
  return exchange.outcome === 'admitted';
}
