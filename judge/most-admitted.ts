import { countBelow } from './counting.ts';
import type { Entry } from './entries.ts';

export type MostAdmitted = { readonly count: number; readonly spanMs: number };

/**
 * The most entries that all lie inside a span shorter than `windowMs` wherever each was counted in its interval, and the
 * least span of so many; `null` where there is no entry.
 * @param entries in the order in which they were sent.
 */
export function mostAdmitted(entries: readonly Entry[], windowMs: number): MostAdmitted | null {
  const highs = Float64Array.from(entries, ({ highMs }) => highMs).sort();
  const later = rankedCounts(highs.length);
  let most: MostAdmitted | null = null;
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const { lowMs, highMs } = entries[at] as Entry;
    later.add(countBelow(highs, highMs));
    const count = later.below(countBelow(highs, lowMs + windowMs));
    if (count === 0 || count < (most?.count ?? 0)) continue;
    const spanMs = (highs[later.rankOf(count)] as number) - lowMs;
    if (most === null || count > most.count || spanMs < most.spanMs) most = { count, spanMs };
  }
  return most;
}

type RankedCounts = {
  readonly add: (rank: number) => void;
  /** How many were added of lower ranks. */
  readonly below: (rank: number) => number;
  /** The rank of the `nth` lowest added, from 1. */
  readonly rankOf: (nth: number) => number;
};

/** Counts by rank in a Fenwick tree (Fenwick 1994): each question takes the logarithm of `ranks` steps. */
function rankedCounts(ranks: number): RankedCounts {
  const sums = new Int32Array(ranks + 1);
  const highestStep = 2 ** Math.floor(Math.log2(Math.max(1, ranks)));
  return {
    add: (rank) => {
      for (let at = rank + 1; at <= ranks; at += at & -at) sums[at] = (sums[at] as number) + 1;
    },
    below: (rank) => {
      let sum = 0;
      for (let at = rank; at > 0; at -= at & -at) sum += sums[at] as number;
      return sum;
    },
    rankOf: (nth) => {
      let at = 0;
      let left = nth;
      for (let step = highestStep; step > 0; step = Math.floor(step / 2)) {
        const next = at + step;
        if (next > ranks || (sums[next] as number) >= left) continue;
        at = next;
        left -= sums[next] as number;
      }
      return at;
    },
  };
}
