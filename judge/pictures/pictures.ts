import type { Judgement } from '../../contract/judgement.ts';
import type { Pictures, Timeline } from '../../contract/pictures.ts';
import type { Trace } from '../../contract/trace.ts';
import { type Group, groupsOf } from '../entries.ts';
import { burstPicture } from './burst-picture.ts';
import { endOf, inWindowOf } from './in-window.ts';
import { marksOf } from './marks.ts';
import { rounded } from './rounded.ts';

/** What pictures of a trace are drawn from, but for other limiters beside it: pure, and bounded whatever its length. */
export function picturesOf(trace: Trace, judgement: Judgement): Omit<Pictures, 'returns'> {
  return {
    timelines: groupsOf(trace).map((group) => timelineOf(group, countsRejections(group, judgement))),
    bursts: trace.loads.flatMap((line) => burstPicture(trace, line)),
  };
}

function countsRejections({ key, scope }: Group, { groups }: Judgement): boolean {
  const measured = groups.find((group) => group.key === key && group.scope === scope);
  return measured?.rejections === 'counted';
}

function timelineOf(group: Group, rejectionsCount: boolean): Timeline {
  const { scope, key, limit, entries } = group;
  const originMs = entries[0]?.lowMs ?? 0;
  return {
    scope,
    key,
    limit,
    originMs,
    endMs: rounded(endOf(entries) - originMs),
    rejectionsCount,
    ...inWindowOf(group, rejectionsCount),
    ...marksOf(group, rejectionsCount ? 'counted' : 'not-counted'),
  };
}
