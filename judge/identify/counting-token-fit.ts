import { leastOf } from '../../contract/extremes.ts';
import { countBelow, countUpTo } from '../counting.ts';
import { bucketDemands } from './bucket-demands.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { type Demand, type Demands, isMet, lengthsMeeting } from './length-sweep.ts';
import { firstBurstOf } from './limits-met.ts';
import type { Observations } from './observations.ts';
import { likeliestMs, limitPlausibility, windowPlausibility } from './plausibility.ts';
import { refusedCrowds } from './refused-crowds.ts';

/** How usual such buckets are, beside those that rejected requests leave alone. */
const prior = 0.02;

/** So many tokens may have dripped in while the first burst was sent; the fewer have to, the better. */
const dripped = { most: 24, power: 4 } as const;

/**
 * Token buckets in which a refused request takes a place too, down to one below empty (Jetty's `DoSHandler`): after a refusal the
 * next request passes two tokens later. Empty where none explains the trace.
 */
export function fitCountingTokens(seen: Observations, hints: Hints): readonly Fit[] {
  const sinceRefusal = sinceRefusalOf(seen);
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
function demandsWith(seen: Observations, { crowds, atMost }: SinceRefusal, limit: number): Demands {
  // Each refusal counts for the next one, so those in the midst of a row decide too.
  const emptied = bucketDemands({ ...seen, refusals: seen.limited }, limit - 1).atLeast;
  return {
    atLeast: crowds.map(({ from, until, at, ms }) => {
      const any = leastOf(emptied.slice(from, until).map((one) => one.ms));
      return { at, ms: Math.min(ms, any) };
    }),
    atMost: [...atMost, ...bucketDemands(seen, limit + 1).atMost],
  };
}

/**
 * What the time between two tokens must be, ms, as far as the refusal before says. It leaves the bucket one below empty, whatever
 * it held: the n-th request admitted after it came when n + 1 tokens had dripped in, or n where one was about to; one refused after
 * n others, before n + 3.
 */
type SinceRefusal = { readonly crowds: readonly Crowd[]; readonly atMost: readonly Demand[] };

/** Refusals that were on their way together, from one place among all of them to another: any of these may have been the first. */
type Crowd = Demand & { readonly from: number; readonly until: number };

function sinceRefusalOf(seen: Observations): SinceRefusal {
  return { crowds: crowdsOf(seen), atMost: admittedDemands(seen) };
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

/** Of the refusals before a crowd, the one that was answered last; the first of the crowd was decided by the first of its answers. */
function crowdsOf(seen: Observations): readonly Crowd[] {
  const { low, high, limited, admissions } = seen;
  const crowds = refusedCrowds(seen);
  return crowds.slice(1).map(({ from, until, answeredMs }, place) => {
    const at = limited[from] as number;
    const before = crowds[place]?.last as number;
    const between =
      countUpTo(admissions.possibleLow, answeredMs) -
      countBelow(admissions.possibleHigh, low[before] as number);
    return { from, until, at, ms: ((low[at] as number) - (high[before] as number)) / (between + 2) };
  });
}
