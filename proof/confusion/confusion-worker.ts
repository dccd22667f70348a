import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { knownClasses } from './classes.ts';
import { type Conditions, runTrial, type Trial } from './matrix.ts';

/** One batch: a class at one limit, and its seeds. */
export type Batch = {
  readonly known: number;
  readonly limit: number;
  readonly seed: number;
  readonly runs: number;
};

/** What a worker answers to each batch that it is sent. */
export type Played = { readonly batch: Batch; readonly trials: readonly Trial[] };

const conditionsSchema = z.object({
  windowMs: z.number(),
  expectedWindowMs: z.number().nullable(),
  windows: z.union([z.literal(1), z.literal(2), z.literal('auto')]),
  jitterMs: z.number(),
}) satisfies z.ZodType<Conditions>;

const batchSchema = z.object({ known: z.int(), limit: z.int(), seed: z.int(), runs: z.int() });

const conditions = conditionsSchema.parse(workerData);

parentPort?.on('message', (message: unknown) => {
  const batch = batchSchema.parse(message);
  const known = knownClasses[batch.known];
  if (known === undefined) throw new Error(`no class ${batch.known}`);
  const trials = Array.from({ length: batch.runs }, (_, at) =>
    runTrial({ known, limit: batch.limit, conditions, seed: batch.seed + at }),
  );
  const played: Played = { batch, trials };
  parentPort?.postMessage(played);
});
