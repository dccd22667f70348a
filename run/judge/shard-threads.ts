import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Found, ShardQueue } from './shard-queue.ts';
import type { TraceFile } from './trace-file.ts';

/** A trace of fewer characters, of about 500 requests, is judged before another thread has begun. */
const charactersLeast = 250_000;

/** How many threads a trace is worth, where nobody has said it: all cores where it is too long to be held as one text. */
export function shardsFor({ text, rows }: Pick<TraceFile, 'text' | 'rows'>): number {
  if (rows !== undefined) return availableParallelism();
  return text.length < charactersLeast ? 1 : Math.min(2, availableParallelism());
}

/** Threads that load what identifies limiters, and then wait until there is something to identify. */
export type ShardThreads = {
  /** Has so many of them take groups from a queue, and gives what they find. One that ends without an answer has found nothing. */
  readonly identify: (queue: ShardQueue, count: number) => Promise<Found>;
  /** Ends those that nobody has asked. */
  readonly end: () => void;
};

/** Begins threads, before the trace is read: that takes about as long as they take to begin. */
export function beginThreads(count: number): ShardThreads {
  const cache = getCompileCacheDir();
  // Node puts a folder for its own version into the one that it is given.
  const workerData = cache === undefined ? null : dirname(cache);
  const waiting = Array.from({ length: count }, () => {
    const worker = new Worker(new URL('./shard-worker.ts', import.meta.url), { workerData });
    // A trace that cannot be read ends the program, whoever waits.
    worker.unref();
    worker.on('error', () => undefined);
    return worker;
  });
  return {
    identify: async (queue, asked) =>
      (await Promise.all(waiting.splice(0, asked).map((worker) => answerOf(worker, queue)))).flat(),
    end: () => {
      for (const worker of waiting.splice(0)) void worker.terminate();
    },
  };
}

function answerOf(worker: Worker, queue: ShardQueue): Promise<Found> {
  return new Promise((resolve) => {
    worker.ref();
    worker.once('message', resolve);
    worker.once('error', () => resolve([]));
    worker.once('exit', () => resolve([]));
    worker.postMessage(queue);
  });
}
