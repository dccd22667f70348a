import { countBelow, countUpTo } from '../intervals.ts';
import { countingRejections, type Observations } from './observations.ts';

/** Leaves room for a clock that runs off ours while the shorter window passes. */
const slackMs = 2;

/** The most that was surely admitted within a time: a limit on it is no lower, and where a burst met one, no higher. */
export function mostIn({ admissions, count, isAdmitted, high }: Observations, lengthMs: number): number {
  let most = 0;
  for (let at = 0; at < count; at += 1) {
    if (isAdmitted[at] !== true) continue;
    const toMs = high[at] as number;
    const inside =
      countUpTo(admissions.certainHigh, toMs) - countBelow(admissions.certainLow, toMs - lengthMs + slackMs);
    most = Math.max(most, inside);
  }
  return most;
}

export type Cap = { readonly limit: number; readonly lengthMs: number };

/**
 * By position: refusals that a limit on a shorter time explains, so that the limiter under it never saw them. Whether
 * what was refused counts towards it is not known: it may.
 */
export function excusedByCap(seen: Observations, { limit, lengthMs }: Cap): readonly boolean[] {
  const { admissions } = countingRejections(seen);
  return seen.isLimited.map((limited, at) => {
    if (!limited) return false;
    const fromMs = (seen.low[at] as number) - lengthMs - slackMs;
    const others =
      countUpTo(admissions.possibleLow, seen.high[at] as number) -
      countBelow(admissions.possibleHigh, fromMs) -
      1;
    return others >= limit;
  });
}
