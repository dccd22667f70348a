import { bounds } from '../../contract/bounds.ts';
import type { HistoryPoint } from './history-line.ts';

/** Lengths that a value may have, ms; an open end is infinite. */
export type Interval = { readonly low: number; readonly high: number };

/** The value cannot have been the same in two runs. */
export type IntervalChange = {
  /** Place of the run that proves the change. */
  readonly at: number;
  /** The value changed after the run in this place, perhaps before the run that proves it. */
  readonly after: number;
  readonly from: Interval;
  readonly to: Interval;
};

/**
 * Runs that have to agree on one length before any other length counts as a change. A limiter that counts in whole
 * seconds holds a request up to a second longer, depending on where in the second it came, so that its runs do not agree.
 */
const agreeingRuns = 5;

type Level = {
  readonly since: number;
  readonly runs: number;
  /** Lengths that every run so far allows; `null` where there is none: then the limiter must count in steps. */
  readonly exact: Interval | null;
  /** The same if a request may be held up to a second longer. */
  readonly stepped: Interval;
};

/**
 * Changes of a window's length, which each run knows as an interval. If one length lies in all intervals, nothing has
 * changed, however wide or noisy they are; if none does, the length has changed. So noise is never called a change, and
 * no threshold is needed. The intervals have to be sound.
 * @param intervals one a run, oldest first; `null` where a run did not measure it.
 */
export function intervalChanges(intervals: readonly (Interval | null)[]): readonly IntervalChange[] {
  const changes: IntervalChange[] = [];
  let level: Level | null = null;
  intervals.forEach((interval, at) => {
    if (interval === null || interval.low > interval.high) return;
    if (level === null || !isAnother(level, interval)) {
      level = level === null ? begun(interval, at) : goneOn(level, interval);
      return;
    }
    const after = lastApart(intervals, { at, since: level.since, interval });
    changes.push({ at, after, from: level.exact ?? level.stepped, to: interval });
    level = begun(interval, at);
  });
  return changes;
}

function begun(interval: Interval, since: number): Level {
  return { since, runs: 1, exact: interval, stepped: withStep(interval) };
}

function goneOn(level: Level, interval: Interval): Level {
  return {
    since: level.since,
    runs: level.runs + 1,
    exact: level.exact === null ? null : shared(level.exact, interval),
    stepped: shared(level.stepped, withStep(interval)) ?? level.stepped,
  };
}

function isAnother({ exact, stepped, runs }: Level, interval: Interval): boolean {
  if (exact !== null && runs >= agreeingRuns) return shared(exact, interval) === null;
  return shared(stepped, withStep(interval)) === null;
}

function withStep({ low, high }: Interval): Interval {
  return { low: low - bounds.granularityMs, high };
}

function shared(left: Interval, right: Interval): Interval | null {
  const low = Math.max(left.low, right.low);
  const high = Math.min(left.high, right.high);
  return low <= high ? { low, high } : null;
}

type Proof = { readonly at: number; readonly since: number; readonly interval: Interval };

/** Place of the newest earlier run that cannot have had the new length. */
function lastApart(intervals: readonly (Interval | null)[], { at, since, interval }: Proof): number {
  for (let before = at - 1; before > since; before -= 1) {
    const own = intervals[before] ?? null;
    if (own !== null && own.low <= own.high && shared(own, interval) === null) return before;
  }
  return since;
}

/** The length of window of a point as an interval; `null` where none explains its run. */
export function windowInterval({ windowMs }: HistoryPoint): Interval | null {
  if (windowMs === null) return null;
  return { low: windowMs.low ?? 0, high: windowMs.high ?? Number.POSITIVE_INFINITY };
}
