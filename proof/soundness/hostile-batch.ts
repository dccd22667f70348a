import fc from 'fast-check';
import type { SeededBatch } from './batches.ts';
import { conformingServices, hostileRun } from './hostile-run.ts';
import { type HostileSetting, hostileSetting } from './hostile-world.ts';

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

/** Plays conforming services in hostile worlds and counts false verdicts. */
export function playHostileBatch({ seed, runs }: SeededBatch): HostileResult {
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
