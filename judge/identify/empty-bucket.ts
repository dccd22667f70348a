import type { Span } from './fit.ts';
import type { Identified } from './identify.ts';
import { type Demand, type Demands, isMet, lengthsMeeting } from './length-sweep.ts';
import { firstBurstOf, fullestRow } from './limits-met.ts';
import type { Observations } from './observations.ts';

/** In fewer of either anything may look like a bucket that fills. */
const seenMin = 3;

/**
 * The time between two tokens, ms, of a bucket that held one token when the first request came and was never full since
 * (SmallRye's `SMOOTH`): it says how fast tokens come, and nothing of how many it holds. `null` where none explains the trace.
 */
export function tokenGapSinceEmpty(seen: Observations): Span | null {
  const demands = demandsOf(seen);
  const isSeen = demands.atLeast.length >= seenMin && demands.atMost.length >= seenMin;
  return isSeen && isMet(demands) ? lengthsMeeting(demands) : null;
}

/** What explains a trace less well than this explains it by chance. */
const chancePlausibility = 1e-5;

/** A gap that is known as closely as this explains a trace well. */
const closely = 1.1;

/** What takes so many times the first burst shows that the limiter was not full at first. */
const largerBy = 1.5;

/**
 * Whether a bucket that was not full when it was first asked explains a trace, and nothing else does by more than chance: how much it
 * holds is seen once it had the time to fill.
 */
export function mayHaveBegunEmpty({ observations, tied }: Identified): boolean {
  const gap = tokenGapSinceEmpty(observations);
  if (gap !== null && gap.highMs <= closely * gap.lowMs) return true;
  const isByChance = (tied[0]?.plausibility ?? 0) < chancePlausibility;
  return isByChance && (gap !== null || fullestRow(observations) >= largerBy * firstBurstOf(observations));
}

/** A refusal came before as many tokens as had been taken by then had dripped in; an admission, after that. */
function demandsOf({ low, high, refusals, isAdmitted, sentBy, answeredBefore }: Observations): Demands {
  const [firstLowMs, firstHighMs] = [low[0] as number, high[0] as number];
  const atLeast = refusals.map((at): Demand => {
    const takenMost = sentBy[at] as number;
    return { at, ms: Math.max(0, (low[at] as number) - firstHighMs) / takenMost };
  });
  const atMost: Demand[] = [];
  isAdmitted.forEach((wasAdmitted, at) => {
    const takenLeast = answeredBefore[at] as number;
    if (wasAdmitted && takenLeast > 0)
      atMost.push({ at, ms: ((high[at] as number) - firstLowMs) / takenLeast });
  });
  return { atLeast, atMost };
}
