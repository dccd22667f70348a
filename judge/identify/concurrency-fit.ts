import { countUpTo } from '../intervals.ts';
import type { Fit } from './fit.ts';
import { type Observations, truncationMs } from './observations.ts';
import { limitPlausibility } from './plausibility.ts';

/** How usual such limiters are, where nothing was refused unless others were in flight; any small number is. */
const prior = 0.3;

/** How usual it is that one without an answer stays in work for good, so that nothing else was in work at some refusals. */
const stuckPrior = 1e-3;

/**
 * A limit on requests in flight at once: a request is refused only while as many others are in work. The limit is at
 * most as many as can have been in flight at any refusal. A refusal of a request that was alone contradicts it. Its "window" is
 * how long a request was in work.
 */
export function fitConcurrency(seen: Observations): Fit {
  const beside = seen.refusals.map((at) => ({ at, others: possiblyBeside(seen, at) }));
  const crowded = beside.filter(({ others }) => others > 0);
  const most = Math.max(1, Math.min(...crowded.map(({ others }) => others), seen.count));
  const least = Math.max(1, Math.min(...crowded.map(({ at }) => besideThroughout(seen, at)), most));
  const limit = roundest(least, most);
  const worked = workMs(
    seen,
    crowded.map(({ at }) => at),
  );
  return {
    algorithm: 'concurrency-limit',
    limit,
    window: { lowMs: 0, highMs: worked },
    lengthMs: worked,
    contradictedBy: beside.filter(({ others }) => others === 0).map(({ at }) => at),
    plausibility: crowded.some(({ at, others }) => others <= unansweredBy(seen, at)) ? stuckPrior : prior,
  };
}

/** How many without an answer were sent before a request was answered: nobody knows how long they were in work. */
function unansweredBy({ low, high }: Observations, at: number): number {
  const answeredMs = high[at] as number;
  return low.filter((sentMs, other) => high[other] === Number.POSITIVE_INFINITY && sentMs <= answeredMs)
    .length;
}

/** How many that may have passed can have been in work while a request was decided. */
export function possiblyBeside({ admissions, low, high }: Observations, at: number): number {
  const sent = countUpTo(admissions.possibleLow, high[at] as number);
  // What the client had been answered before it sent this one was not in flight, whatever the service's clock says.
  return sent - countUpTo(admissions.possibleHigh, (low[at] as number) + truncationMs);
}

/** Those of them that were on their way or in work for the whole time: their places were hardly free yet. */
function besideThroughout({ low, high, isAdmitted }: Observations, at: number): number {
  const [lowMs, highMs] = [low[at] as number, high[at] as number];
  return low.reduce(
    (sum, sentMs, other) =>
      sum +
      Number(
        isAdmitted[other] === true && sentMs <= lowMs + truncationMs && (high[other] as number) >= highMs,
      ),
    0,
  );
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
    Math.min(...refusals.map((at) => low[at] as number)),
    Math.max(...refusals.map((at) => high[at] as number)),
  ];
  const times = Array.from(low, (lowMs, at) => ({ lowMs, highMs: high[at] as number, at }))
    .filter(({ lowMs, highMs, at }) => isAdmitted[at] === true && lowMs <= toMs && highMs >= fromMs)
    .map(({ lowMs, highMs }) => highMs - lowMs)
    .sort((left, right) => left - right);
  return times[times.length >> 1] ?? 0;
}
