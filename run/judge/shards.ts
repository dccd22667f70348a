import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Returns } from '../../contract/pictures.ts';
import type { Trace } from '../../contract/trace.ts';
import { type Case, caseOf, groupedOf } from '../../judge/case.ts';
import type { Group } from '../../judge/entries.ts';
import { type Examination, examined } from '../../judge/examine.ts';
import { columnsOf } from '../../judge/identify/group-columns.ts';
import { probedGroups } from '../../judge/identify/identify-groups.ts';
import { type Identification, identifiedOne, isIdentifiable } from '../../judge/identify/identifying.ts';
import { judgeCase } from '../../judge/judge-trace.ts';
import { type Found, nextOf, queueOf, type ShardQueue } from './shard-queue.ts';

/** Shorter traces are judged before another thread has begun. */
const exchangesLeast = 50_000;

/** How many threads a trace is worth, where nobody has said it. */
export function shardsFor({ exchanges }: Trace): number {
  return exchanges.length < exchangesLeast ? 1 : availableParallelism();
}

/**
 * What `examine` says of a trace, to the letter: verdicts here, and meanwhile in other threads the limiters of its keys and
 * scopes, and how capacity came back there, each by itself. Whoever is done first takes the next.
 */
export async function examineInShards(trace: Trace, shards: number): Promise<Examination> {
  const grouped = groupedOf(trace);
  const probed = sharedOf(grouped.groups);
  const queue = queueOf(probedGroups(probed).map(columnsOf));
  const others = Array.from({ length: Math.min(shards - 1, probed.length) }, () => identifiedBy(queue));
  const subject = caseOf(trace, grouped);
  const judgement = judgeCase(subject);
  const found = new Map<Group, Identification>();
  for (let at = nextOf(queue); at < probed.length; at = nextOf(queue)) {
    const group = probed[at] as Group;
    found.set(group, identifiedOne(group));
  }
  const returned = new Map<Group, readonly Returns[]>();
  for (const one of (await Promise.all(others)).flat()) {
    const group = probed[one.at] as Group;
    found.set(group, one.identification);
    if (one.returned !== null) returned.set(group, one.returned);
  }
  return examined(trace, subject, judgement, { identifications: inOrder(subject, found), returned });
}

/** The groups that whoever is free may identify. */
export function sharedOf(groups: readonly Group[]): readonly Group[] {
  return groups.filter((group) => isIdentifiable(group) && probedGroups([group]).length > 0);
}

/** A group that was put together anew when it was judged, or that no probe filled, is identified as it is. */
function inOrder({ analyses }: Case, found: ReadonlyMap<Group, Identification>): readonly Identification[] {
  return analyses.map(({ group }) => found.get(group) ?? identifiedOne(group));
}

/** What another thread finds. One that ends without an answer has found nothing: then its groups are identified here. */
function identifiedBy(queue: ShardQueue): Promise<Found> {
  const worker = new Worker(new URL('./shard-worker.ts', import.meta.url), { workerData: queue });
  return new Promise((resolve) => {
    worker.once('message', resolve);
    worker.once('error', () => resolve([]));
    worker.once('exit', () => resolve([]));
  });
}
