import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { ShardQueue } from './shard-queue.ts';

/** Waits for groups of a trace that another thread reads and judges, and identifies some of them. What that takes is loaded meanwhile. */
if (typeof workerData === 'string') enableCompileCache(workerData);
const loaded = import('./identify-shard.ts');
parentPort?.once('message', async (queue: ShardQueue) => {
  const { identifyShard } = await loaded;
  parentPort?.postMessage(identifyShard(queue));
});
