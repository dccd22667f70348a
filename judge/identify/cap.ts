import { countBelow, countUpTo } from '../counting.ts';
import { bucketDemands, longestGapMs } from './bucket-demands.ts';
import { countingRejections, type Observations, possibleIn, wallClockMs } from './observations.ts';
import { limitPlausibility } from './plausibility.ts';

/** Leaves room for a clock that runs off ours while the shorter window passes. */
const slackMs = 2;

/** The most that was surely admitted within a time: a limit on it is no lower, and where a burst met one, no higher. */
export function mostIn({ admissions }: Observations, lengthMs: number): number {
  let most = 0;
  for (const toMs of admissions.certainHigh) {
    const inside =
      countUpTo(admissions.certainHigh, toMs) - countBelow(admissions.certainLow, toMs - lengthMs + slackMs);
    most = Math.max(most, inside);
  }
  return most;
}

/**
 * How many passed within a time before most of the refusals: a window that begins anew lets more pass around its end only. 0
 * where nothing was refused.
 */
export function usualIn({ low, isAdmitted, refusals }: Observations, lengthMs: number): number {
  const admittedLow = low.filter((_, at) => isAdmitted[at] === true);
  const times = new Map<number, number>();
  for (const at of refusals) {
    const ms = low[at] as number;
    const passed = countBelow(admittedLow, ms) - countBelow(admittedLow, ms - lengthMs + slackMs);
    times.set(passed, (times.get(passed) ?? 0) + 1);
  }
  times.delete(0);
  const [usual] = [...times].sort(([, left], [, right]) => right - left);
  return usual?.[0] ?? 0;
}

/** A limit on a shorter time; `bucket`: as many tokens, which drip in within that time; `grid`: it begins anew with the wall clock. */
export type Cap = {
  readonly limit: number;
  readonly lengthMs: number;
  readonly kind: 'window' | 'bucket' | 'grid';
  /** What counts towards it, where that is known; absent: whatever was sent may count. */
  readonly counts?: 'admitted';
};

/** By position: refusals that a limit on a shorter time explains, so that the limiter under it never saw them. */
export function excusedByCap(seen: Observations, cap: Cap): readonly boolean[] {
  switch (cap.kind) {
    case 'bucket':
      return excusedByBucket(seen, cap);
    case 'grid':
      return excusedByGrid(seen, cap);
    case 'window':
      return excusedByWindow(seen, cap);
    default:
      return cap.kind satisfies never;
  }
}

/** Refusals in windows of the wall clock that may have been full by then. */
function excusedByGrid(seen: Observations, { limit, lengthMs }: Cap): readonly boolean[] {
  const { originMs, low, high, isLimited, admissions } = seen;
  return isLimited.map((limited, at) => {
    if (!limited) return false;
    const sinceEpochMs = originMs + (low[at] as number) - wallClockMs;
    const fromMs = Math.floor(sinceEpochMs / lengthMs) * lengthMs - originMs - wallClockMs;
    return possibleIn(admissions, fromMs, high[at] as number) >= limit;
  });
}

function excusedByBucket(seen: Observations, cap: Cap): readonly boolean[] {
  const excused = new Set(explainedBy(seen, cap, seen.limited));
  return seen.isLimited.map((_, at) => excused.has(at));
}

/** Those of some refusals at which a bucket was empty. */
function explainedBy(
  seen: Observations,
  { limit, lengthMs }: Cap,
  refusals: readonly number[],
): readonly number[] {
  const { atLeast } = bucketDemands({ ...seen, refusals }, limit);
  return atLeast.filter(({ ms }) => ms <= lengthMs / limit).map(({ at }) => at);
}

/** Buckets are tried down to this share of what passed before the first refusal: the rest may have dripped in meanwhile. */
const bucketShare = 0.6;

/** Of those that explain as much, so many are looked at. */
const bucketsMax = 2;

/** Buckets that were refilled within a time and explain the first refusal, and all that was admitted; the likeliest first. */
export function bucketsWithin(seen: Observations, firstBurst: number, lengthMs: number): readonly Cap[] {
  const first = seen.refusals.slice(0, 1);
  const sizes = Array.from({ length: firstBurst }, (_, at) => firstBurst - at);
  return sizes
    .filter((limit) => limit > 1 && limit >= bucketShare * firstBurst)
    .map((limit): Cap => ({ limit, lengthMs, kind: 'bucket' }))
    .filter((cap) => {
      const isAdmitted = longestGapMs(seen, cap.limit) >= (cap.lengthMs - slackMs) / cap.limit;
      return isAdmitted && explainedBy(seen, cap, first).length > 0;
    })
    .sort((left, right) => limitPlausibility(right.limit, {}) - limitPlausibility(left.limit, {}))
    .slice(0, bucketsMax);
}

function excusedByWindow(seen: Observations, { limit, lengthMs, counts }: Cap): readonly boolean[] {
  const { admissions } = counts === 'admitted' ? seen : countingRejections(seen);
  const itself = counts === 'admitted' ? 0 : 1;
  return seen.isLimited.map((limited, at) => {
    if (!limited) return false;
    const fromMs = (seen.low[at] as number) - lengthMs - slackMs;
    const others =
      countUpTo(admissions.possibleLow, seen.high[at] as number) -
      countBelow(admissions.possibleHigh, fromMs) -
      itself;
    return others >= limit;
  });
}
