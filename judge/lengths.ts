import { bounds } from '../contract/bounds.ts';
import { costOf } from '../contract/document/cost.ts';
import type { Entry } from './entries.ts';
import { boundsNotLimited, countingAlong, countUpTo, everyBound } from './intervals.ts';

/** Reading A: a rejected request takes no place. Reading B: it does. The document allows both. */
export const readings = ['not-counted', 'counted'] as const;

export type Reading = (typeof readings)[number];

/** Whether a request certainly takes a place, by a reading. */
export function surelyCounts({ exchange: { outcome } }: Entry, reading: Reading): boolean {
  return outcome === 'admitted' || (reading === 'counted' && outcome === 'limited');
}

/** Those that may take a place, by a reading. */
export function thatMayCount(entries: readonly Entry[], reading: Reading): readonly Entry[] {
  return reading === 'counted' ? entries : entries.filter(({ exchange }) => exchange.outcome !== 'limited');
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
  /** The admissions that allow no longer one: limit + 1 under reading A; under B rejections are among them. */
  readonly highBy: readonly Entry[];
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
  for (const { refusal, fromMs } of reachesOf(history)) {
    const neededMs = (refusal.lowMs - fromMs - bounds.clockResolutionMs) / (1 + bounds.clockRate);
    if (neededMs > lowMs) {
      lowMs = neededMs;
      lowBy = refusal;
    }
  }
  return { lowMs, lowBy };
}

/** How far back a window must reach to explain a refusal: to `fromMs`, or before everything where that is -Infinity. */
export type Reach = { readonly refusal: Entry; readonly fromMs: number };

/**
 * The reach of each refusal that needs one. A refusal at `[low, high]` needs `limit` entries that may have been counted
 * before it, or fewer where it costs more than 1; placed as late as their intervals allow, the earliest of those tells how far back the window must reach.
 * Every entry is placed by itself, which only ever makes the reach shorter, so never unsound.
 */
export function reachesOf({ limit, entries, reading, refusals, itself }: History): readonly Reach[] {
  const { lows, highs } = reading === 'counted' ? everyBound(entries) : boundsNotLimited(entries);
  const [ended, sent] = [countingAlong(highs), countingAlong(lows)];
  const isCounted = reading === 'counted';
  return refusals.flatMap((refusal): Reach[] => {
    const cost = costOf(refusal.exchange);
    const needed = limit - cost + 1;
    const endedBefore = ended.below(refusal.lowMs);
    const own = itself?.(refusal) ?? (isCounted ? cost : 0);
    const mayBeAtOnce = sent.upTo(refusal.highMs) - endedBefore - own;
    if (mayBeAtOnce >= needed) return [];
    return [{ refusal, fromMs: highs[endedBefore - (needed - mayBeAtOnce)] ?? Number.NEGATIVE_INFINITY }];
  });
}

/** Admissions count under either reading; rejections too under the second. */
function longestExplained(history: History): Pick<Lengths, 'highMs' | 'highBy'> {
  const { entries, limit, reading } = history;
  const admissions = tightestAdmitted(entries, limit);
  const counted = reading === 'counted' ? tightestCounted(entries, limit) : admissions;
  const { spanMs, by } = counted.spanMs < admissions.spanMs ? counted : admissions;
  return { highMs: (spanMs + bounds.clockResolutionMs) / (1 - bounds.clockRate), highBy: by };
}

type Tightest = { readonly spanMs: number; readonly by: readonly Entry[] };

/**
 * The limit + 1 admissions with the least `max(high) − min(low)`: whichever of them was decided last had `limit`
 * others before it, so a window longer than that span would have refused it.
 */
const tightestAdmitted = remembered((entries, limit): Tightest => {
  const admitted = entries.filter((entry) => entry.exchange.outcome === 'admitted');
  const smallest = new Float64Array(limit);
  let held = 0;
  let spanMs = Number.POSITIVE_INFINITY;
  let from = -1;
  for (let at = admitted.length - 1; at >= 0; at -= 1) {
    const entry = admitted[at] as Entry;
    if (held === limit) {
      const span = Math.max(entry.highMs, smallest[limit - 1] as number) - entry.lowMs;
      if (span < spanMs) {
        spanMs = span;
        from = at;
      }
    }
    held = keepSmallest(smallest, held, entry.highMs);
  }
  if (from === -1) return { spanMs, by: [] };
  const start = admitted[from] as Entry;
  const endMs = start.lowMs + spanMs;
  return {
    spanMs,
    // No more than these: the start of the tightest that was sent last is taken.
    by: admitted.slice(from).filter((entry) => entry.highMs <= endMs),
  };
});

/** The admission with the tightest `limit` entries, rejections included, that were certainly decided before it. */
const tightestCounted = remembered((entries, limit): Tightest => {
  const decided = entries
    .filter((entry) => surelyCounts(entry, 'counted'))
    .sort((left, right) => left.highMs - right.highMs);
  const latestLows = new Float64Array(limit);
  let held = 0;
  let next = 0;
  let spanMs = Number.POSITIVE_INFINITY;
  let by: Entry | null = null;
  for (const entry of entries) {
    if (entry.exchange.outcome !== 'admitted') continue;
    while (next < decided.length && (decided[next] as Entry).highMs < entry.lowMs) {
      held = keepSmallest(latestLows, held, -(decided[next] as Entry).lowMs);
      next += 1;
    }
    const needed = Math.max(1, limit - costOf(entry.exchange) + 1);
    if (held < needed) continue;
    const span = entry.highMs + (latestLows[needed - 1] as number);
    if (span < spanMs) {
      spanMs = span;
      by = entry;
    }
  }
  if (by === null) return { spanMs, by: [] };
  const last = by;
  const startMs = last.highMs - spanMs;
  const before = decided.filter((entry) => entry.highMs < last.lowMs && entry.lowMs >= startMs);
  return { spanMs, by: [...before.sort((left, right) => left.lowMs - right.lowMs), last] };
});

/** Several questions about one history need the same work: it is done once for each limit. */
function remembered<Value>(
  compute: (entries: readonly Entry[], limit: number) => Value,
): (entries: readonly Entry[], limit: number) => Value {
  const known = new WeakMap<readonly Entry[], Map<number, Value>>();
  return (entries, limit) => {
    const byLimit = known.get(entries) ?? new Map<number, Value>();
    known.set(entries, byLimit);
    const value = byLimit.get(limit);
    if (value !== undefined) return value;
    const computed = compute(entries, limit);
    byLimit.set(limit, computed);
    return computed;
  };
}

/** Keeps the smallest values seen in ascending order, as many as fit; returns how many are held now. */
function keepSmallest(smallest: Float64Array, held: number, value: number): number {
  const at = countUpTo(smallest, value, held);
  smallest.copyWithin(at + 1, at, held);
  smallest[at] = value;
  return Math.min(held + 1, smallest.length);
}
