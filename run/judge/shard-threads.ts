import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { scopesOf } from '../../contract/document/document.ts';
import type { Trace } from '../../contract/trace.ts';
import { limitersMax, looked } from '../../judge/identify/looked-at.ts';
import type { Judging } from './judging.ts';
import type { ShardFindings, ShardQueue } from './shard-queue.ts';
import type { TraceFile } from './trace-file.ts';

/** A trace of fewer characters, of about 500 requests, is judged before another thread has begun. */
const charactersLeast = 250_000;

/** How many threads traces are worth that are texts of so many characters together, where nobody has said it. */
export function shardsFor(characters: number): number {
  return characters < charactersLeast ? 1 : Math.min(2, availableParallelism());
}

/** Of a trace most is verdicts, which one thread gives, where so few of its requests are looked at to identify limiters. */
const identifiedShareLeast = 1 / 4;

/**
 * How many threads a long trace is worth, where nobody has said it: all cores, but one where identifying limiters takes
 * little of all that is done. Another thread takes a third of the memory again.
 */
export function shardsForLong({ header, exchanges }: Pick<Trace, 'header' | 'exchanges'>): number {
  const groups = header.keys.length * scopesOf(header.deployment.document).length;
  const ofEach = Math.min(looked.ofFillsMax, exchanges.length / groups);
  const isMostlyVerdicts = Math.min(groups, limitersMax) * ofEach < identifiedShareLeast * exchanges.length;
  return isMostlyVerdicts ? 1 : availableParallelism();
}

/** Threads that load what identifies limiters, and then wait until there is something to identify. */
export type ShardThreads = {
  /** Has so many of them take groups from a queue, and gives what they find. One that ends without an answer has found nothing. */
  readonly identify: (queue: ShardQueue, count: number) => Promise<ShardFindings>;
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

/** The threads that a trace is judged by, beside this one. */
export type Threads = {
  /** `null` where it is judged by this thread alone. */
  readonly of: (trace: Trace) => ShardThreads | null;
  readonly end: () => void;
};

/** Begins those that judge traces as one before they are read, where it is known then how many there are. */
export function threadsBeside(
  files: readonly Pick<TraceFile, 'text' | 'rows'>[],
  { verdictsAlone, shards }: Pick<Judging, 'verdictsAlone' | 'shards'>,
): Threads {
  const all: ShardThreads[] = [];
  const begin = (count: number): ShardThreads | null => {
    if (count < 2) return null;
    const begun = beginThreads(count - 1);
    all.push(begun);
    return begun;
  };
  const end = (): void => {
    for (const threads of all) threads.end();
  };
  if (verdictsAlone !== true && shards === undefined && files.some(({ rows }) => rows !== undefined))
    return { of: (trace) => begin(shardsForLong(trace)), end };
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  const begun = begin(verdictsAlone === true ? 1 : (shards ?? shardsFor(characters)));
  return { of: () => begun, end };
}

function answerOf(worker: Worker, queue: ShardQueue): Promise<ShardFindings> {
  return new Promise((resolve) => {
    worker.ref();
    worker.once('message', resolve);
    worker.once('error', () => resolve([]));
    worker.once('exit', () => resolve([]));
    worker.postMessage(queue);
  });
}
