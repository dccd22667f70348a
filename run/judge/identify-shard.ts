import { attemptEach } from '../../judge/attempts.ts';
import { fromColumns, type GroupColumns } from '../../judge/identify/group-columns.ts';
import { identifying } from '../../judge/identify/identification.ts';
import { identifyProbed } from '../../judge/identify/identify-groups.ts';
import { probedCurves } from '../../judge/identify/return-curves.ts';
import { type GroupFinding, nextOf, type ShardFindings, type ShardQueue } from './shard-queue.ts';

/** Identifies groups of a trace that other threads take from too, until none is left. */
export function identifyShard(queue: ShardQueue): ShardFindings {
  const found: GroupFinding[] = [];
  for (let at = nextOf(queue); at < queue.groups.length; at = nextOf(queue)) {
    const group = fromColumns(queue.groups[at] as GroupColumns);
    const identification = identifying(group, () => [identifyProbed(group)]);
    const drawn = attemptEach(
      [group],
      () => [probedCurves(group, identification.made)],
      // Who asked draws it again, and says so.
      () => '',
    );
    found.push({ at, identification, returned: drawn.made[0] ?? null });
  }
  return found;
}
