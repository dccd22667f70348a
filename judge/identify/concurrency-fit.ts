import { greatestOf, leastOf } from '../../contract/extremes.ts';
import { countUpTo } from '../counting.ts';
import { luckOfBursts } from './bursts-alike.ts';
import type { Fit } from './fit.ts';
import { type Observations, truncationMs } from './observations.ts';
import { limitPlausibility } from './plausibility.ts';

/** How usual such limiters are, where nothing was refused unless others were in flight; any small number is. */
const prior = 0.3;

/** How long a service works on a request may change: no luck is less likely than this. */
const luckMin = 1e-8;

/** How usual it is that one without an answer stays in work for good, so that nothing else was in work at some refusals. */
const stuckPrior = 1e-3;

/**
 * A limit on requests in flight at once: a request is refused only while as many others are in work. The limit is at
 * most as many as can have been in flight at any refusal. A refusal of a request that was alone contradicts it. Its "window" is
 * how long a request was in work.
 */
export function fitConcurrency(seen: Observations): Fit {
  const throughout = countThroughout(seen);
  const unanswered = seen.low.filter((_sentMs, at) => seen.high[at] === Number.POSITIVE_INFINITY);
  const beside = seen.refusals.map((at) => ({ at, others: possiblyBeside(seen, at) }));
  const crowded = beside.filter(({ others }) => others > 0);
  const most = crowded.reduce((least, { others }) => Math.min(least, others), seen.count);
  const least = crowded.reduce((fewest, { at }) => Math.min(fewest, throughout(at)), most);
  const worked = workMs(
    seen,
    crowded.map(({ at }) => at),
  );
  // Nobody knows how long those without an answer were in work that were sent before a request was answered.
  const isStuck = crowded.some(({ at, others }) => others <= countUpTo(unanswered, seen.high[at] as number));
  return {
    algorithm: 'concurrency-limit',
    limit: roundest(Math.max(1, least), Math.max(1, most)),
    window: { lowMs: 0, highMs: worked },
    lengthMs: worked,
    contradictedBy: beside.filter(({ others }) => others === 0).map(({ at }) => at),
    plausibility: (isStuck ? stuckPrior : prior) * Math.max(luckMin, luckOfBursts(seen)),
  };
}

/** How many that may have passed can have been in work while a request was decided. */
export function possiblyBeside({ admissions, low, high }: Observations, at: number): number {
  const sent = countUpTo(admissions.possibleLow, high[at] as number);
  // What the client had been answered before it sent this one was not in flight, whatever the service's clock says.
  return sent - countUpTo(admissions.possibleHigh, (low[at] as number) + truncationMs);
}

/** Those of them that were on their way or in work for the whole time: their places were hardly free yet. */
function countThroughout({ low, high, isAdmitted }: Observations): (at: number) => number {
  const admitted = Array.from(low.keys()).filter((at) => isAdmitted[at] === true);
  const sentMs = Float64Array.from(admitted, (at) => low[at] as number);
  const answeredMs = admitted.map((at) => high[at] as number);
  const allAnsweredMs = Float64Array.from(answeredMs);
  for (let one = 1; one < admitted.length; one += 1)
    allAnsweredMs[one] = Math.max(allAnsweredMs[one] as number, allAnsweredMs[one - 1] as number);
  return (at) => {
    const untilMs = high[at] as number;
    let count = 0;
    // All that were sent before one after which everything had been answered had been answered too.
    for (
      let one = countUpTo(sentMs, (low[at] as number) + truncationMs) - 1;
      one >= 0 && (allAnsweredMs[one] as number) >= untilMs;
      one -= 1
    )
      count += Number((answeredMs[one] as number) >= untilMs);
    return count;
  };
}

function roundest(least: number, most: number): number {
  let best = most;
  for (let limit = most; limit >= least; limit -= 1) {
    if (limitPlausibility(limit, {}) > limitPlausibility(best, {})) best = limit;
  }
  return best;
}

/** The median time from sending to answer, ms, of the admitted requests that were in flight beside a refusal. */
function workMs({ low, high, isAdmitted }: Observations, refusals: readonly number[]): number {
  const [fromMs, toMs] = [
    leastOf(refusals.map((at) => low[at] as number)),
    greatestOf(refusals.map((at) => high[at] as number)),
  ];
  const times = Array.from(low, (lowMs, at) => ({ lowMs, highMs: high[at] as number, at }))
    .filter(({ lowMs, highMs, at }) => isAdmitted[at] === true && lowMs <= toMs && highMs >= fromMs)
    .map(({ lowMs, highMs }) => highMs - lowMs)
    .sort((left, right) => left - right);
  return times[times.length >> 1] ?? 0;
}
