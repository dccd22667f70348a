import type { Returns } from '../../contract/pictures.ts';
import type { Trace } from '../../contract/trace.ts';
import { caseOf } from '../../judge/case.ts';
import type { Group } from '../../judge/entries.ts';
import type { Examination } from '../../judge/examination.ts';
import { examined } from '../../judge/examine.ts';
import { groupedOf } from '../../judge/grouped.ts';
import { columnsOf } from '../../judge/identify/group-columns.ts';
import type { Identification } from '../../judge/identify/identification.ts';
import { probedGroups } from '../../judge/identify/identify-groups.ts';
import { identifiableOf, identifiedOne } from '../../judge/identify/identifying.ts';
import { judgeCase } from '../../judge/judge-trace.ts';
import { nextOf, queueOf, type ShardFindings, type ShardQueue } from './shard-queue.ts';
import type { ShardThreads } from './shard-threads.ts';

/**
 * What `examine` says of a trace, to the letter: verdicts here, and meanwhile in other threads the limiters of its keys and
 * scopes, and how capacity came back there, each by itself. Whoever is done first takes the next. The others begin at once,
 * this thread when it is asked for the examination.
 */
export function beginInShards(trace: Trace, threads: ShardThreads): () => Promise<Examination> {
  const grouped = groupedOf(trace);
  const probed = sharedOf(grouped.groups);
  const queue = queueOf(probedGroups(probed).map(columnsOf));
  const others = threads.identify(queue, probed.length);
  return () => examineBeside({ trace, grouped, probed, queue, others });
}

type Begun = {
  readonly trace: Trace;
  readonly grouped: ReturnType<typeof groupedOf>;
  readonly probed: readonly Group[];
  readonly queue: ShardQueue;
  readonly others: Promise<ShardFindings>;
};

async function examineBeside({ trace, grouped, probed, queue, others }: Begun): Promise<Examination> {
  const subject = caseOf(trace, grouped);
  const judgement = judgeCase(subject);
  const found = new Map<Group, Identification>();
  for (let at = nextOf(queue); at < probed.length; at = nextOf(queue)) {
    const group = probed[at] as Group;
    found.set(group, identifiedOne(group));
  }
  const returned = new Map<Group, readonly Returns[]>();
  for (const one of await others) {
    const group = probed[one.at] as Group;
    found.set(group, one.identification);
    if (one.returned !== null) returned.set(group, one.returned);
  }
  // A group that was put together anew when it was judged is identified as it is.
  return examined(trace, subject, judgement, { identifications: found, returned });
}

/** The groups that whoever is free may identify, the largest first: whoever is done last has little left to do. */
export function sharedOf(groups: readonly Group[]): readonly Group[] {
  return identifiableOf(groups).chosen.toSorted((left, right) => right.entries.length - left.entries.length);
}
