import { availableParallelism } from 'node:os';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import type { Batch, Played } from './confusion-worker.ts';
import type { Conditions, Trial } from './matrix.ts';

/** A class, by its place among the known ones, and a limit of it. */
export type Subject = { readonly known: number; readonly limit: number };

export type Campaign = {
  readonly subjects: readonly Subject[];
  readonly runs: number;
  readonly firstSeed: number;
  readonly conditions: Conditions;
};

export type PlayedSubject = Subject & { readonly trials: readonly Trial[] };

/** So many runs are handed out at a time: few enough to end at about the same time on all cores. */
const runsPerBatch = 20;

/** Every subject as often as asked for, on all cores; its trials in the order of their seeds. */
export async function playAll(campaign: Campaign): Promise<readonly PlayedSubject[]> {
  const { subjects, runs, firstSeed } = campaign;
  const batches = subjects.flatMap(({ known, limit }) =>
    Array.from({ length: Math.ceil(runs / runsPerBatch) }, (_, at): Batch => {
      const before = at * runsPerBatch;
      return { known, limit, seed: firstSeed + before, runs: Math.min(runsPerBatch, runs - before) };
    }),
  );
  const played: Played[] = [];
  const waiting = [...batches];
  const workers = Math.min(availableParallelism(), batches.length);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: workers }, () =>
      work(campaign.conditions, waiting, (one) => {
        played.push(one);
        showProgress(played.length, batches.length, began);
      }),
    ),
  );
  if (process.stderr.isTTY) process.stderr.write('\n');
  return subjects.map((subject) => ({
    ...subject,
    trials: played
      .filter(({ batch }) => batch.known === subject.known && batch.limit === subject.limit)
      .flatMap(({ trials }) => trials)
      .sort((left, right) => left.seed - right.seed),
  }));
}

/** One worker takes batches until none is left. */
function work(conditions: Conditions, waiting: Batch[], onPlayed: (played: Played) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./confusion-worker.ts', import.meta.url), { workerData: conditions });
    const next = (): void => {
      const batch = waiting.shift();
      if (batch === undefined) worker.terminate().then(() => resolve(), reject);
      else worker.postMessage(batch);
    };
    worker.on('error', reject);
    worker.on('message', (message: Played) => {
      onPlayed(message);
      next();
    });
    next();
  });
}

function showProgress(done: number, all: number, began: number): void {
  if (!process.stderr.isTTY) return;
  const leftSeconds = ((performance.now() - began) / 1_000 / done) * (all - done);
  process.stderr.write(`\r${Math.floor((100 * done) / all)} %, ${leftSeconds.toFixed(0)} s left  `);
}
