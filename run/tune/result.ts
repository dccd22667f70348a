import { configurationsFor, libraryParameters } from '../../backoff/configurations.ts';
import type { Figures } from '../../backoff/tuning/figures.ts';
import type { Ranked } from '../../backoff/tuning/rank.ts';
import { type Saving, savingsOf } from '../../backoff/tuning/savings.ts';
import { bestOfEachFamily } from '../../backoff/tuning/search.ts';
import type { Tuning } from '../../backoff/tuning/tuning.ts';
import { frontierIn } from './tuning-page.ts';

/** Raised whenever a reader of today could misread a result of another version. */
const schemaVersion = 1;

/** What tuning found, for programs: times in s, 429s for each job that was done, intervals of 95 % confidence. */
export function resultOf(tuning: Tuning) {
  const { client, situations, ranking, recommended, forLibraries } = tuning;
  const { limiter, limiterFrom, latency, rate } = client;
  const named = (ranked: Ranked) => strategyResult(tuning, ranked);
  return {
    schemaVersion,
    limiter: {
      algorithm: limiter.name,
      limit: rate.limit,
      windowSeconds: rate.windowMs / 1_000,
      from: limiterFrom,
    },
    client: {
      scope: client.scope,
      clients: client.clients,
      processes: client.processes,
      jobs: client.jobs,
      latencyMs: latency.medianMs,
      latencyP99Ms: latency.p99Ms,
      lossShare: latency.lossShare,
      knows: client.knows,
      method: client.method,
    },
    lowerBoundSeconds: Object.fromEntries(situations.map(({ name, boundSeconds }) => [name, boundSeconds])),
    recommended: named(recommended),
    forLibraries: { ...named(forLibraries), parameters: libraryParameters(tuning) },
    savings: savingsOf(tuning) satisfies readonly Saving[],
    ranking: bestOfEachFamily(ranking).map(named),
    configurations: configurationsFor(tuning),
    /** What its chart shows; `report --tune` takes it from here. */
    frontier: frontierIn(tuning),
  };
}

function strategyResult({ situations }: Tuning, { trial, figures, standing }: Ranked) {
  const { name, parameters } = trial.candidate;
  const inEach: readonly (readonly [string, Figures | undefined])[] = situations.map((one, at) => [
    one.name,
    figures[at],
  ]);
  return { name, parameters, standing, situations: Object.fromEntries(inEach) };
}
