import { once } from '../contract/once.ts';
import { countBelow, countUpTo } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { type Bounds, boundsAdmitted, countWithin } from './intervals.ts';
import { boundsThatMayCount, boundsThatSurelyCount, type Reading, readings } from './lengths.ts';

/** Phases that are tried, evenly spread over a window. */
const phasesTried = 600;

/** What rounding of the share adds to it: products round it down, to the nearest integer, or up. */
const roundings = [0, 0.5, 1];

/**
 * Whether a sliding window counter of the documented length and limit explains everything that a group did: one count
 * per window of a grid of any phase, the count before weighted by how much of it the rolling window still overlaps. If
 * rejections count it stays full for long, which looks like a longer rolling window. It only says that a length is not
 * the one explanation: where the document is kept it is never asked.
 * Source of the algorithm: Cloudflare, "How we built rate limiting capable of scaling to millions of domains" (2017).
 */
export const windowCounterFits = once((group: Group): boolean =>
  readings.some((reading) => fitsInPhase(group, countsOf(group, reading))),
);

function fitsInPhase(group: Group, counts: Counts): boolean {
  const phasesMs = Array.from({ length: phasesTried }, (_, at) => (at * group.windowMs) / phasesTried);
  return phasesMs.some((phaseMs) => fitsAt(group, counts, phaseMs));
}

/** `may` holds what can have been counted, `sure` what was. */
type Counts = {
  readonly may: Bounds;
  readonly sure: Bounds;
  readonly admitted: Bounds;
  readonly itself: number;
};

function countsOf({ entries, explaining }: Group, reading: Reading): Counts {
  return {
    may: boundsThatMayCount(explaining, reading),
    sure: boundsThatSurelyCount(entries, reading),
    admitted: boundsAdmitted(entries),
    itself: reading === 'counted' ? 1 : 0,
  };
}

/** Whether one rounding explains all. A boundary in the midst of a burst explains too much to explain anything: it is left out. */
function fitsAt(group: Group, counts: Counts, phaseMs: number): boolean {
  const { admitted, entries, limited, windowMs } = group;
  const startOf = (ms: number): number => phaseMs + Math.floor((ms - phaseMs) / windowMs) * windowMs;
  const isApart = ({ lowMs, highMs }: Entry): boolean => startOf(lowMs) === startOf(highMs);
  let left = roundings;
  const leaves = (entry: Entry, mayBe: typeof mayRefuse): boolean => {
    const may = mayBe(group, counts, { entry, startMs: startOf(entry.lowMs) });
    left = left.filter(may);
    return left.length > 0;
  };
  return (
    entries.every(isApart) &&
    limited.every((entry) => leaves(entry, mayRefuse)) &&
    admitted.every((entry) => leaves(entry, mayAdmit))
  );
}

/** A request in the bucket that begins at `startMs`. */
type Placed = { readonly entry: Entry; readonly startMs: number };

/** Whether it may be so with what a rounding adds. */
type WithRounding = (added: number) => boolean;

function mayRefuse(group: Group, { may, itself }: Counts, { entry, startMs }: Placed): WithRounding {
  const { limit, windowMs } = group;
  const current = countWithin(may, startMs, entry.highMs) - itself;
  const previous = countBelow(may.lows, startMs) - countBelow(may.highs, startMs - windowMs);
  const overlap = 1 - (entry.lowMs - startMs) / windowMs;
  return (added) => current + previous * overlap + added + slackOf(previous) >= limit;
}

/**
 * The last of the admissions that were answered by then was decided after all others of them, and each admission after
 * all that had been answered before it was sent.
 */
function mayAdmit(group: Group, { sure, admitted }: Counts, { entry, startMs }: Placed): WithRounding {
  const { limit, windowMs } = group;
  const beside = countUpTo(admitted.highs, entry.highMs) - countBelow(admitted.lows, startMs) - 1;
  const before = countBelow(sure.highs, entry.lowMs) - countBelow(sure.lows, startMs);
  const previous = countBelow(sure.highs, startMs) - countBelow(sure.lows, startMs - windowMs);
  const overlap = 1 - (entry.highMs - startMs) / windowMs;
  const least = Math.max(beside, before) + previous * overlap;
  return (added) => least + added - slackOf(previous) < limit;
}

/** What a share may be off because two phases that are tried lie apart. */
function slackOf(previous: number): number {
  return 0.05 + previous / phasesTried;
}
