import { isRollingBound, isRollingIn } from '../../contract/document/document.ts';
import { resetUnitOf } from '../../contract/document/scope-headers.ts';
import type { IdentifiedGroup } from '../../contract/identification.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { marksMax, stepsMax, timelinesMax } from '../../contract/picture-bounds.ts';
import { type Pictures, type Returns, rounded, type Timeline } from '../../contract/pictures.ts';
import type { ResetUnit } from '../../contract/reset-units.ts';
import type { Trace } from '../../contract/trace.ts';
import { attemptEach } from '../attempts.ts';
import type { Group } from '../entries.ts';
import { returnCurves } from '../identify/return-curves.ts';
import type { Reading } from '../lengths.ts';
import { type KeyInScope, mostTelling } from '../most-telling.ts';
import { burstPicture } from './burst-picture.ts';
import { endOf, inWindowOf } from './in-window.ts';
import { marksOf } from './marks.ts';

/** A trace with what has been found out about it. */
export type Pictured = {
  readonly trace: Trace;
  readonly groups: readonly Group[];
  readonly judgement: Judgement;
  /** Where violations are shown. */
  readonly shown?: readonly KeyInScope[];
  readonly identified: readonly IdentifiedGroup[];
  /** How capacity came back in some groups, where that is drawn already. */
  readonly returned?: ReadonlyMap<Group, readonly Returns[]>;
};

export type DrawnPictures = {
  readonly pictures: Pictures;
  /** A sentence for each picture that could not be drawn. */
  readonly failures: readonly string[];
};

/** What pictures of a trace are drawn from: pure, and bounded whatever its length. */
export function picturesOf(pictured: Pictured): DrawnPictures {
  const { trace, groups, judgement, shown, identified, returned } = pictured;
  const drawn = mostTelling(groups.filter(isTimed), timelinesMax, shown);
  const sizes = drawn.map(({ entries }) => entries.length);
  const marks = sharedOut(marksMax, sizes);
  const steps = sharedOut(
    stepsMax,
    sizes.map((size) => size * stepsPerRequest),
  );
  const timelines = attemptEach(
    drawn,
    (group, at) => [
      timelineOf(group, {
        unit: resetUnitOf(trace.header.deployment.document),
        reading: readingOf(group, judgement),
        isRolling: isRollingIn(trace.header.deployment.document, group.scope),
        isBound: isRollingBound(trace.header.deployment.document, group.scope),
        marksMax: marks[at] ?? 1,
        stepsMax: steps[at] ?? 1,
      }),
    ],
    ({ key, scope }) => `the requests of key ${key} at ${scope} could not be drawn`,
  );
  const returns = attemptEach(
    drawn,
    (group) => returned?.get(group) ?? returnCurves([group], identified),
    ({ key, scope }) => `how capacity of key ${key} came back at ${scope} could not be drawn`,
  );
  const bursts = attemptEach(
    trace.loads,
    (line) => burstPicture(trace, line),
    ({ scenario }) => `the load scenario ${scenario} could not be drawn`,
  );
  return {
    pictures: {
      timelines: [...timelines.made],
      timelinesLeftOut: groups.length - timelines.made.length,
      returns: [...returns.made],
      bursts: [...bursts.made],
    },
    failures: [timelines, returns, bursts].flatMap(({ failures }) => failures),
  };
}

/** Where the clock of a request may be off by anything, there is no place for it on a line of time. */
function isTimed({ entries }: Group): boolean {
  return entries.every(({ lowMs }) => Number.isFinite(lowMs));
}

/** A request enters the window and leaves it, each once perhaps and once surely. */
const stepsPerRequest = 4;

function readingOf({ key, scope }: Group, { groups }: Judgement): Reading {
  const measured = groups.find((group) => group.key === key && group.scope === scope);
  return measured?.rejections === 'counted' ? 'counted' : 'not-counted';
}

type TimelineOptions = {
  /** In which answers write their reset. */
  readonly unit: ResetUnit;
  readonly isRolling: boolean;
  readonly reading: Reading;
  /** Whether no more than the limit may pass in any window of that length. */
  readonly isBound: boolean;
  readonly marksMax: number;
  readonly stepsMax: number;
};

function timelineOf(group: Group, options: TimelineOptions): Timeline {
  const { scope, key, limit, entries } = group;
  const { reading } = options;
  const originMs = entries[0]?.lowMs ?? 0;
  return {
    scope,
    key,
    limit,
    originMs,
    endMs: rounded(endOf(entries) - originMs),
    rejectionsCount: reading === 'counted',
    ...inWindowOf(group, options),
    // What is more than the limit of another kind may be allowed.
    ...(options.isBound ? {} : { over: { fromMs: [], toMs: [], certain: [] } }),
    ...marksOf(group, {
      unit: options.unit,
      isRolling: options.isRolling,
      reading,
      marksMax: options.marksMax,
    }),
  };
}

/**
 * A total shared out among wishes: who wishes for less than an even share gets all of it, and the others share what that
 * leaves. Nobody gets more than the wish, and all together no more than the total.
 */
export function sharedOut(total: number, wishes: readonly number[]): readonly number[] {
  const smallestFirst = wishes
    .map((_, at) => at)
    .sort((left, right) => (wishes[left] ?? 0) - (wishes[right] ?? 0));
  const shares = wishes.map(() => 0);
  let left = total;
  smallestFirst.forEach((at, done) => {
    const share = Math.min(wishes[at] ?? 0, Math.floor(left / (wishes.length - done)));
    shares[at] = share;
    left -= share;
  });
  return shares;
}
