import fc from 'fast-check';
import { conformingServices, hostileRun } from './hostile-run.ts';
import { type HostileSetting, hostileSetting } from './hostile-world.ts';

/** Runs whose settings depend on the seed alone. */
export type HostileBatch = { readonly seed: number; readonly runs: number };

/** A setting under which a conforming service was called violated, with the clauses. */
export type FalseVerdict = { readonly setting: HostileSetting; readonly violated: readonly string[] };

export type HostileResult = {
  readonly runs: number;
  /** The first of them; at most `shownMax`. */
  readonly falseVerdicts: readonly FalseVerdict[];
  readonly falseVerdictsTotal: number;
  /** Of the `must` clauses that a run was meant to judge, those that it could judge neither way. */
  readonly inconclusive: number;
  readonly judged: number;
};

const shownMax = 10;

/** Runs that a worker plays at a time. */
const batchSize = 500;

/** All runs of a seed, so that the same ones are played however many workers there are. */
export function hostileBatches({ seed, runs }: HostileBatch): readonly HostileBatch[] {
  return Array.from({ length: Math.ceil(runs / batchSize) }, (_, at) => ({
    seed: seed + at,
    runs: Math.min(batchSize, runs - at * batchSize),
  }));
}

/** Plays conforming services in hostile worlds and counts false verdicts. */
export function playHostileBatch({ seed, runs }: HostileBatch): HostileResult {
  const settings = fc.sample(hostileSetting(conformingServices.length), { numRuns: runs, seed });
  return mergedHostile(
    settings.map((setting) => {
      const { violated, inconclusive, judged } = hostileRun(setting, conformingServices);
      const falseVerdicts = violated.length === 0 ? [] : [{ setting, violated }];
      return { runs: 1, falseVerdicts, falseVerdictsTotal: falseVerdicts.length, inconclusive, judged };
    }),
  );
}

export function mergedHostile(results: readonly HostileResult[]): HostileResult {
  const sum = (of: (result: HostileResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    runs: sum(({ runs }) => runs),
    falseVerdicts: results.flatMap(({ falseVerdicts }) => falseVerdicts).slice(0, shownMax),
    falseVerdictsTotal: sum(({ falseVerdictsTotal }) => falseVerdictsTotal),
    inconclusive: sum(({ inconclusive }) => inconclusive),
    judged: sum(({ judged }) => judged),
  };
}
