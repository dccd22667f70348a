import { countBelow, countUpTo } from '../counting.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { type Demand, type Demands, isMet, lengthsMeeting } from './length-sweep.ts';
import { firstBurstOf } from './limits-met.ts';
import type { Observations } from './observations.ts';
import { likeliestMs, limitPlausibility, windowPlausibility } from './plausibility.ts';
import { bucketDemands } from './token-fit.ts';

/** How usual such buckets are, beside those that rejected requests leave alone. */
const prior = 0.02;

/** So many tokens may have dripped in while the first burst was sent; the fewer have to, the better. */
const dripped = { most: 24, power: 4 } as const;

/**
 * Token buckets in which a refused request takes a place too, down to one below empty (Jetty's `DoSHandler`): after a refusal the
 * next request passes two tokens later. Empty where none explains the trace.
 */
export function fitCountingTokens(seen: Observations, hints: Hints): readonly Fit[] {
  const sinceRefusal = demandsOf(seen);
  if (sinceRefusal.atMost.length === 0) return [];
  const burst = firstBurstOf(seen);
  const least = Math.max(2, burst - dripped.most);
  const usual = Array.from({ length: Math.max(0, burst - least + 1) }, (_, fewer) => burst - fewer);
  // One that answers tell is tried however many came meanwhile.
  const { limit: said = least } = hints;
  const limits = said >= 2 && said < least ? [...usual, said] : usual;
  const fits = limits.flatMap((limit): readonly Fit[] => {
    const demands = demandsWith(seen, sinceRefusal, limit);
    if (!isMet(demands)) return [];
    const gap = lengthsMeeting(demands);
    const window: Span = { lowMs: limit * gap.lowMs, highMs: limit * gap.highMs };
    return [
      {
        algorithm: 'token-bucket',
        limit,
        window,
        lengthMs: likeliestMs(window, hints),
        rejectionsCount: true,
        contradictedBy: [],
        plausibility:
          prior *
          (limit / burst) ** dripped.power *
          windowPlausibility(window, hints) *
          limitPlausibility(limit, hints),
      },
    ];
  });
  return fits.sort((left, right) => right.plausibility - left.plausibility).slice(0, 1);
}

/**
 * The same for a bucket of this size: it lets no more pass than any other does, and a refusal that another one explains may have
 * come from it. Tokens come at ticks: one may be there a little sooner, or later, than evenly.
 */
function demandsWith(seen: Observations, sinceRefusal: Demands, limit: number): Demands {
  const { atMost } = bucketDemands(seen, limit + 1);
  const emptied = new Map(bucketDemands(seen, limit - 1).atLeast.map(({ at, ms }) => [at, ms]));
  return {
    atLeast: sinceRefusal.atLeast.map(({ at, ms }) => ({ at, ms: Math.min(ms, emptied.get(at) ?? 0) })),
    atMost: [...sinceRefusal.atMost, ...atMost],
  };
}

/**
 * What the time between two tokens must be, ms, as far as the refusal before says. It leaves the bucket one below empty, whatever
 * it held: the n-th request admitted after it came when n + 1 tokens had dripped in, or n where one was about to; one refused after
 * n others, before n + 3.
 */
function demandsOf(seen: Observations): Demands {
  return { atLeast: limitedDemands(seen), atMost: admittedDemands(seen) };
}

/** Of the refusals that were surely decided before an admission, the last one that was answered. */
function admittedDemands({ low, high, limited, isAdmitted, admissions }: Observations): readonly Demand[] {
  const byHigh = limited.toSorted((left, right) => (high[left] as number) - (high[right] as number));
  const refusedHigh = Float64Array.from(byHigh, (at) => high[at] as number);
  return isAdmitted.flatMap((wasAdmitted, at) => {
    const lowMs = low[at] as number;
    const before = byHigh[countBelow(refusedHigh, lowMs) - 1];
    if (!wasAdmitted || before === undefined) return [];
    const sinceMs = high[before] as number;
    const between = countBelow(admissions.certainHigh, lowMs) - countUpTo(admissions.certainLow, sinceMs);
    return [{ at, ms: ((high[at] as number) - (low[before] as number)) / (Math.max(0, between) + 1) }];
  });
}

/** Of the refusals that may have been decided before another, the one that was answered last. One on its way with it says nothing. */
function limitedDemands({ low, high, limited, admissions }: Observations): readonly Demand[] {
  let last: number | undefined;
  return limited.flatMap((at, place) => {
    const [lowMs, highMs, before] = [low[at] as number, high[at] as number, last];
    if (last === undefined || highMs > (high[last] as number)) last = at;
    const next = limited[place + 1];
    const isAlone = next === undefined || (low[next] as number) > highMs;
    if (before === undefined || !isAlone) return [];
    const between =
      countUpTo(admissions.possibleLow, highMs) - countBelow(admissions.possibleHigh, low[before] as number);
    return [{ at, ms: Math.max(0, lowMs - (high[before] as number)) / (between + 2) }];
  });
}
