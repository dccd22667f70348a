import fc from 'fast-check';
import type { SeededBatch } from './batches.ts';
import { isWithinSkew, type K6World, k6World, played, tied, violatedBy } from './k6-world.ts';

/** A world of k6 in which a conforming service was called violated, with the clauses. */
export type FalseOfK6 = { readonly setting: K6World; readonly violated: readonly string[] };

/** Plays k6 in odd worlds against conforming services; gives those with a false verdict. */
export function playK6Batch({ seed, runs }: SeededBatch): readonly FalseOfK6[] {
  return fc.sample(k6World, { numRuns: runs, seed }).flatMap((setting) => {
    const violated = violatedBy(tied(played(setting))).filter(
      (clause) => clause !== 'headers.reset' || isWithinSkew(setting),
    );
    return violated.length === 0 ? [] : [{ setting, violated }];
  });
}
