import type { Judgement } from '../../contract/judgement.ts';
import { marksMax, type Pictures, stepsMax, type Timeline, timelinesMax } from '../../contract/pictures.ts';
import type { Trace } from '../../contract/trace.ts';
import { type Group, groupsOf } from '../entries.ts';
import { burstPicture } from './burst-picture.ts';
import { endOf, inWindowOf } from './in-window.ts';
import { marksOf } from './marks.ts';
import { rounded } from './rounded.ts';
import { sharedOut } from './shared-out.ts';

/** What pictures of a trace are drawn from, but for other limiters beside it: pure, and bounded whatever its length. */
export function picturesOf(trace: Trace, judgement: Judgement): Omit<Pictures, 'returns'> {
  const all = groupsOf(trace);
  const drawn = telling(all);
  const sizes = drawn.map(({ entries }) => entries.length);
  const marks = sharedOut(marksMax, sizes);
  const steps = sharedOut(
    stepsMax,
    sizes.map((size) => size * stepsPerRequest),
  );
  return {
    timelines: drawn.map((group, at) =>
      timelineOf(group, {
        rejectionsCount: countsRejections(group, judgement),
        marksMax: marks[at] ?? 1,
        stepsMax: steps[at] ?? 1,
      }),
    ),
    timelinesLeftOut: all.length - drawn.length,
    bursts: trace.loads.flatMap((line) => burstPicture(trace, line)),
  };
}

/** A request enters the window and leaves it, each once perhaps and once surely. */
const stepsPerRequest = 4;

/** The groups that tell most, in their order: those of the probes, then those that were limited most. */
function telling(groups: readonly Group[]): readonly Group[] {
  const weight = ({ entries, limited }: Group): number =>
    (entries.some(({ exchange }) => exchange.driver !== 'k6') ? 1e9 : 0) + limited.length;
  const kept = new Set(groups.toSorted((left, right) => weight(right) - weight(left)).slice(0, timelinesMax));
  return groups.filter((group) => kept.has(group));
}

function countsRejections({ key, scope }: Group, { groups }: Judgement): boolean {
  const measured = groups.find((group) => group.key === key && group.scope === scope);
  return measured?.rejections === 'counted';
}

type TimelineOptions = {
  readonly rejectionsCount: boolean;
  readonly marksMax: number;
  readonly stepsMax: number;
};

function timelineOf(group: Group, options: TimelineOptions): Timeline {
  const { scope, key, limit, entries } = group;
  const { rejectionsCount } = options;
  const originMs = entries[0]?.lowMs ?? 0;
  return {
    scope,
    key,
    limit,
    originMs,
    endMs: rounded(endOf(entries) - originMs),
    rejectionsCount,
    ...inWindowOf(group, options),
    ...marksOf(group, { reading: rejectionsCount ? 'counted' : 'not-counted', marksMax: options.marksMax }),
  };
}
