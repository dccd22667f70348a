import { bounds, windowMsAtLeast, windowMsAtMost } from '../contract/bounds.ts';
import { countingAlong } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { surelyCounted } from './intervals.ts';
import { boundsThatMayCount, boundsThatSurelyCount, type Reading } from './lengths.ts';
import type { Bounds } from './misfit.ts';

/** The bounds at one answer, and how many of our own requests may leave the window between question and answer. */
type MomentBounds = Bounds & { readonly leaving: number };

/**
 * What `Remaining` may say on an answer: at least the limit less all that may count, at most the limit less all that
 * surely does.
 */
export function remainingBounds(
  { limit, windowMs, entries, explaining }: Group,
  reading: Reading,
): (entry: Entry) => MomentBounds {
  const may = boundsThatMayCount(explaining, reading);
  const shortestMs = windowMsAtLeast(windowMs);
  const longestMs = windowMsAtMost(windowMs) + bounds.granularityMs;
  const certain = surelyCounted(boundsThatSurelyCount(entries, reading), windowMs);
  const sent = countingAlong(may.lows);
  const sentBefore = countingAlong(may.lows);
  const gone = countingAlong(may.highs);
  return (entry) => {
    const left = gone.below(entry.lowMs - longestMs);
    return {
      lowest: Math.max(0, limit - (sent.upTo(entry.highMs) - left)),
      highest: Math.max(0, limit - certain(entry)),
      leaving: sentBefore.upTo(entry.highMs - shortestMs) - left,
    };
  };
}
