import { parentPort, workerData } from 'node:worker_threads';
import { fromColumns, type GroupColumns } from '../../judge/identify/group-columns.ts';
import { identifyProbed } from '../../judge/identify/identify-groups.ts';
import { type Identification, identifying } from '../../judge/identify/identifying.ts';
import { nextOf, type ShardQueue } from './shard-queue.ts';

/** Identifies groups of a trace that another thread judges, until none is left. */
const queue = workerData as ShardQueue;
const found: [number, Identification][] = [];
for (let at = nextOf(queue); at < queue.groups.length; at = nextOf(queue)) {
  const group = queue.groups[at] as GroupColumns;
  found.push([at, identifying(group, () => [identifyProbed(fromColumns(group))])]);
}
parentPort?.postMessage(found);
