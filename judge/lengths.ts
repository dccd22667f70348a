import { bounds } from '../contract/bounds.ts';
import { costOf } from '../contract/document/cost.ts';
import { onceForBoth } from '../contract/once-for-both.ts';
import { byMoment } from './by-moment.ts';
import { countBelow, countingAlong } from './counting.ts';
import type { Entry } from './entries.ts';
import {
  type Bounds,
  bits,
  boundsAdmitted,
  boundsDecided,
  boundsNotLimited,
  columnsOf,
  everyBound,
} from './intervals.ts';

/** Whether a rejected request takes a place: the document allows both. */
export const readings = ['not-counted', 'counted'] as const;

export type Reading = (typeof readings)[number];

/** Whether a request certainly takes a place, by a reading. */
export function surelyCounts({ exchange: { outcome } }: Entry, reading: Reading): boolean {
  return outcome === 'admitted' || (reading === 'counted' && outcome === 'limited');
}

/** Whether one may take a place, by a reading. */
export function mayCount({ exchange: { outcome } }: Entry, reading: Reading): boolean {
  return reading === 'counted' || outcome !== 'limited';
}

/** Those that may. */
export function thatMayCount(entries: readonly Entry[], reading: Reading): readonly Entry[] {
  return reading === 'counted' ? entries : entries.filter((entry) => mayCount(entry, reading));
}

/** The intervals of those. */
export function boundsThatMayCount(entries: readonly Entry[], reading: Reading): Bounds {
  return reading === 'counted' ? everyBound(entries) : boundsNotLimited(entries);
}

/** The intervals of those that certainly take a place. */
export function boundsThatSurelyCount(entries: readonly Entry[], reading: Reading): Bounds {
  return reading === 'counted' ? boundsDecided(entries) : boundsAdmitted(entries);
}

/**
 * The lengths of rolling window, ms by the service's clock, under which a limiter of `limit` explains a history.
 * Longer than `highMs` it would have admitted too much, shorter than `lowMs` it would have refused too early;
 * with `lowMs > highMs` no rolling window explains the history.
 */
export type Lengths = {
  readonly lowMs: number;
  /** The refusal that needs so long a window; `null` where none was judged. */
  readonly lowBy: Entry | null;
  readonly highMs: number;
  /** The admissions that allow no longer one: limit + 1; where rejections count, they are among them. Of many keys few are asked for. */
  readonly highBy: () => readonly Entry[];
};

export type History = {
  readonly limit: number;
  /** In the order in which they were sent. */
  readonly entries: readonly Entry[];
  readonly reading: Reading;
  /** Refusals to be explained; a subset of the history's. */
  readonly refusals: readonly Entry[];
  /** How many of the entries that may count stand for a refusal itself; left out: as many as it costs, where rejections count. */
  readonly itself?: (refusal: Entry) => number;
};

export function explainedLengths(history: History): Lengths {
  return { ...shortestExplained(history), ...longestExplained(history) };
}

/** The shortest window that explains every refusal. */
function shortestExplained(history: History): Pick<Lengths, 'lowMs' | 'lowBy'> {
  let lowMs = 0;
  let lowBy: Entry | null = null;
  forEachReach(history, (refusal, fromMs) => {
    const neededMs = neededMsOf(refusal, fromMs);
    if (neededMs > lowMs) {
      lowMs = neededMs;
      lowBy = refusal;
    }
  });
  return { lowMs, lowBy };
}

/** The shortest window that explains one refusal, ms, by how far back it must reach. */
export function neededMsOf(refusal: Entry, fromMs: number): number {
  return (refusal.lowMs - fromMs - bounds.clockResolutionMs) / (1 + bounds.clockRate);
}

/** How far back a window must reach to explain a refusal: to `fromMs`, or before everything where that is -Infinity. */
type Reach = { readonly refusal: Entry; readonly fromMs: number };

/**
 * Gives the reach of each refusal that needs one. A refusal at `[low, high]` needs `limit` entries that may have been counted
 * before it, or fewer where it costs more than 1; placed as late as their intervals allow, the earliest of those tells how far back the window must reach.
 * Every entry is placed by itself, which only ever makes the reach shorter, so never unsound.
 */
export function forEachReach(
  { limit, entries, reading, refusals, itself }: History,
  take: (refusal: Entry, fromMs: number) => void,
): void {
  const { lows, highs } = boundsThatMayCount(entries, reading);
  const [ended, sent] = [countingAlong(highs), countingAlong(lows)];
  const isCounted = reading === 'counted';
  for (const refusal of refusals) {
    const cost = costOf(refusal.exchange);
    const needed = limit - cost + 1;
    const endedBefore = ended.below(refusal.lowMs);
    const own = itself?.(refusal) ?? (isCounted ? cost : 0);
    const mayBeAtOnce = sent.upTo(refusal.highMs) - endedBefore - own;
    if (mayBeAtOnce >= needed) continue;
    const fromMs = highs[endedBefore - (needed - mayBeAtOnce)] ?? Number.NEGATIVE_INFINITY;
    take(refusal, fromMs);
  }
}

/** The same as a list; of a long trace it takes much memory. */
export function reachesOf(history: History): readonly Reach[] {
  const reaches: Reach[] = [];
  forEachReach(history, (refusal, fromMs) => void reaches.push({ refusal, fromMs }));
  return reaches;
}

/** Admissions count under either reading; rejections too under the second. */
function longestExplained(history: History): Pick<Lengths, 'highMs' | 'highBy'> {
  const { entries, limit, reading } = history;
  const admissions = tightestAdmitted(entries, limit);
  const counted = reading === 'counted' ? tightestCounted(entries, limit) : admissions;
  const { spanMs, by } = counted.spanMs < admissions.spanMs ? counted : admissions;
  return { highMs: (spanMs + bounds.clockResolutionMs) / (1 - bounds.clockRate), highBy: by };
}

type Tightest = { readonly spanMs: number; readonly by: () => readonly Entry[] };

/**
 * The limit + 1 admissions with the least `max(high) − min(low)`: whichever of them was decided last had `limit`
 * others before it, so a window longer than that span would have refused it.
 */
const tightestAdmitted = onceForBoth((entries: readonly Entry[], limit: number): Tightest => {
  const { lowMs, highMs, outcome } = columnsOf(entries);
  const highs = new Smallest(limit);
  let spanMs = Number.POSITIVE_INFINITY;
  let from = -1;
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    if (outcome[at] !== bits.admitted) continue;
    const high = highMs[at] as number;
    const span = Math.max(high, highs.nth(limit)) - (lowMs[at] as number);
    if (span < spanMs) {
      spanMs = span;
      from = at;
    }
    highs.add(high);
  }
  return { spanMs, by: () => (from === -1 ? [] : admittedFrom(entries, from, spanMs)) };
});

/** No more than these: the start of the tightest that was sent last is taken. */
function admittedFrom(entries: readonly Entry[], from: number, spanMs: number): readonly Entry[] {
  const endMs = (entries[from] as Entry).lowMs + spanMs;
  const found: Entry[] = [];
  for (let at = from; at < entries.length; at += 1) {
    const entry = entries[at] as Entry;
    // What is sent later is answered later too.
    if (entry.lowMs > endMs) break;
    if (entry.exchange.outcome === 'admitted' && entry.highMs <= endMs) found.push(entry);
  }
  return found;
}

/** The admission with the tightest `limit` entries, rejections included, that were certainly decided before it. */
const tightestCounted = onceForBoth((entries: readonly Entry[], limit: number): Tightest => {
  const { lowMs, highMs, outcome } = columnsOf(entries);
  const decided = decidedByHigh(entries);
  const lows = new Smallest(limit);
  let next = 0;
  let spanMs = Number.POSITIVE_INFINITY;
  let last = -1;
  for (let at = 0; at < entries.length; at += 1) {
    if (outcome[at] !== bits.admitted) continue;
    const low = lowMs[at] as number;
    for (; next < decided.length && (highMs[decided[next] as number] as number) < low; next += 1)
      lows.add(-(lowMs[decided[next] as number] as number));
    const needed = Math.max(1, limit - costOf((entries[at] as Entry).exchange) + 1);
    const span = (highMs[at] as number) + lows.nth(needed);
    if (span < spanMs) {
      spanMs = span;
      last = at;
    }
  }
  return { spanMs, by: () => decidedUpTo(last, entries, spanMs) };
});

/** The admission at a position after those that were certainly decided before it, and sent within so long before its answer. */
function decidedUpTo(last: number, entries: readonly Entry[], spanMs: number): readonly Entry[] {
  const latest = entries[last] as Entry;
  const startMs = latest.highMs - spanMs;
  const first = countBelow(columnsOf(entries).lowMs, startMs);
  const before = entries
    .slice(first, last)
    .filter((entry) => surelyCounts(entry, 'counted') && entry.highMs < latest.lowMs);
  return [...before, latest];
}

/** The positions of admissions and rejections, in the order in which they were answered. */
function decidedByHigh(entries: readonly Entry[]): Uint32Array {
  const { highMs, outcome } = columnsOf(entries);
  const decided = new Uint32Array(entries.length);
  let count = 0;
  let isInOrder = true;
  for (let at = 0; at < entries.length; at += 1) {
    if (((outcome[at] as number) & (bits.admitted | bits.limited)) === 0) continue;
    // Most were answered in the order in which they were sent.
    if (count > 0 && (highMs[at] as number) < (highMs[decided[count - 1] as number] as number))
      isInOrder = false;
    decided[count] = at;
    count += 1;
  }
  const all = decided.subarray(0, count);
  return isInOrder ? all : byMoment(all, highMs);
}

/**
 * The smallest of the values that are added, so many of them at most. Values that mostly fall are put at the end of those
 * kept, which stand from the greatest to the smallest.
 */
class Smallest {
  readonly #most: number;
  readonly #values: Float64Array;
  #from = 0;
  #to = 0;

  constructor(most: number) {
    this.#most = most;
    this.#values = new Float64Array(2 * most + 1);
  }

  /** The n-th of them, from 1; infinite where there are fewer. */
  nth(n: number): number {
    return n < 1 || n > this.#to - this.#from
      ? Number.POSITIVE_INFINITY
      : (this.#values[this.#to - n] as number);
  }

  add(value: number): void {
    const values = this.#values;
    if (this.#to === values.length) {
      values.copyWithin(0, this.#from, this.#to);
      this.#to -= this.#from;
      this.#from = 0;
    }
    let low = this.#from;
    let high = this.#to;
    if (low < high && value <= (values[high - 1] as number)) low = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[middle] as number) >= value) low = middle + 1;
      else high = middle;
    }
    if (low < this.#to) values.copyWithin(low + 1, low, this.#to);
    values[low] = value;
    this.#to += 1;
    if (this.#to - this.#from > this.#most) this.#from += 1;
  }
}
