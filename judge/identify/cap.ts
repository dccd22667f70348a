import { countBelow, countUpTo } from '../intervals.ts';
import type { Observations } from './observations.ts';

const secondMs = 1_000;

/** Leaves room for a clock that runs off ours while a second passes. */
const slackMs = 2;

/** The most that was surely admitted within one second: a cap is no lower, and where a burst met one, no higher. */
export function mostInOneSecond({ admissions, count, isAdmitted, high }: Observations): number {
  let most = 0;
  for (let at = 0; at < count; at += 1) {
    if (isAdmitted[at] !== true) continue;
    const toMs = high[at] as number;
    const inside =
      countUpTo(admissions.certainHigh, toMs) - countBelow(admissions.certainLow, toMs - secondMs + slackMs);
    most = Math.max(most, inside);
  }
  return most;
}

/** By position: refusals that a cap on the requests of one second explains, so that the limiter under it never saw them. */
export function excusedByCap(
  { admissions, low, high, isLimited }: Observations,
  cap: number,
): readonly boolean[] {
  return isLimited.map((limited, at) => {
    if (!limited) return false;
    const fromMs = (low[at] as number) - secondMs - slackMs;
    return (
      countUpTo(admissions.possibleLow, high[at] as number) - countBelow(admissions.possibleHigh, fromMs) >=
      cap
    );
  });
}
