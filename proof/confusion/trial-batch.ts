import { knownClasses } from './classes.ts';
import { type Conditions, runTrial, type Trial } from './trial.ts';

/** A class, by its place among the known ones, and a limit of it. */
export type Subject = { readonly known: number; readonly limit: number };

/** Runs of one subject, with seeds that follow each other. */
export type TrialBatch = Subject & {
  readonly conditions: Conditions;
  readonly firstSeed: number;
  readonly runs: number;
};

/** Runs that a worker plays at a time: few enough for all workers to end at about the same time. */
const batchSize = 20;

/** All runs of one subject. */
export function trialBatches({ runs, firstSeed, ...rest }: TrialBatch): readonly TrialBatch[] {
  return Array.from({ length: Math.ceil(runs / batchSize) }, (_, at) => ({
    ...rest,
    firstSeed: firstSeed + at * batchSize,
    runs: Math.min(batchSize, runs - at * batchSize),
  }));
}

/** The trials of a batch, in the order of their seeds. */
export function playTrials({
  known: place,
  limit,
  conditions,
  firstSeed,
  runs,
}: TrialBatch): readonly Trial[] {
  const known = knownClasses[place];
  if (known === undefined) throw new Error(`there is no class ${place}`);
  return Array.from({ length: runs }, (_, at) =>
    runTrial({ known, limit, conditions, seed: firstSeed + at }),
  );
}
