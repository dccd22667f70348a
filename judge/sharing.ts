import { windowMsAtLeast } from '../contract/bounds.ts';
import { greatestOf, leastOf } from '../contract/extremes.ts';
import { once } from '../contract/once.ts';
import { countingAlong } from './counting.ts';
import { type Entry, type Group, mergedEntries } from './entries.ts';
import { unexplainedCrowds } from './first-refused.ts';
import { judgedRefusals } from './fits.ts';
import { type Bounds, boundsAdmitted, boundsOfAll, everyBound } from './intervals.ts';
import { explainedLengths, type Reading, readings, surelyCounts } from './lengths.ts';
import { surelyWithin } from './surely-within.ts';

export type Apart = { readonly by: Entry; readonly countedBefore: number };

/**
 * Whether refusals that a group's own requests cannot explain are explained by the requests of several groups counted
 * in one window. It proves nothing where an admission has shown that they are counted apart: ask `admissionWhileFull` first.
 * @param others the groups that may share its window: other scopes of its key, or other keys of its scope.
 * @param unexplainedMs a refusal that needs a window longer than this is not explained.
 */
export function isExplainedTogether(group: Group, others: readonly Group[], unexplainedMs: number): boolean {
  const explains = (groups: readonly Group[]) =>
    readings.some((reading) => explainsRefusals({ group, groups, reading, unexplainedMs }));
  return !explains([group]) && explains([group, ...others]);
}

type Shared = {
  readonly group: Group;
  /** The groups whose requests one window may hold, the group itself among them. */
  readonly groups: readonly Group[];
  readonly reading: Reading;
  readonly unexplainedMs: number;
};

/** One count that explains the group's refusals, and would not have refused any of its admissions. */
function explainsRefusals({ group, groups, reading, unexplainedMs }: Shared): boolean {
  const entries = mergedEntries(groups);
  const refusals = judgedRefusals(group);
  const { limit } = group;
  const { lowMs } = explainedLengths({ limit, entries, reading, refusals });
  if (lowMs > unexplainedMs) return false;
  if (unexplainedCrowds({ limit, entries, refusals, windowMs: unexplainedMs }).length > 0) return false;
  const counted = entries.filter((entry) => surelyCounts(entry, reading));
  return firstWhileFull(group, { ...everyBound(counted), histories: [counted] }) === null;
}

/** An admission that one window shared by all of them would certainly have refused; `null` where there is none. */
export function admissionWhileFull(groups: readonly Group[]): Apart | null {
  const admitted = once(admittedIn);
  const early = earlyIn(groups);
  for (const [at, group] of groups.entries()) {
    const apart =
      (early === null ? null : firstWhileFull(early[at] as Group, admitted(early))) ??
      firstWhileFull(group, admitted(groups));
    if (apart !== null) return apart;
  }
  return null;
}

function admittedIn(groups: readonly Group[]): Counted {
  const bounds = boundsOfAll(
    groups.map(({ entries }) => entries),
    boundsAdmitted,
  );
  return { ...bounds, histories: groups.map(({ admitted }) => admitted) };
}

/** So many windows of a long trace are looked at first. */
const earlyWindows = 16;

/**
 * What was admitted in the first windows: mostly enough to show what all of a long trace would, since an admission is held against what
 * came before it. `null` where that is all.
 */
function earlyIn(groups: readonly Group[]): readonly Group[] | null {
  const fromMs = leastOf(groups.map(({ admitted }) => admitted[0]?.lowMs ?? Number.POSITIVE_INFINITY));
  const untilMs = fromMs + earlyWindows * greatestOf(groups.map(({ windowMs }) => windowMs));
  const ends = groups.map(({ admitted }) => admitted.findIndex(({ lowMs }) => lowMs > untilMs));
  if (ends.every((end) => end === -1)) return null;
  return groups.map((group, at) => {
    const entries = ends[at] === -1 ? group.admitted : group.admitted.slice(0, ends[at]);
    return { ...group, entries, admitted: entries };
  });
}

/** What surely took a place, of one history or several. */
type Counted = Bounds & { readonly histories: readonly (readonly Entry[])[] };

/** The group's first admission that certainly came after `limit` others of these, inside one window. */
function firstWhileFull(group: Group, { lows, highs, histories }: Counted): Apart | null {
  const spanMs = windowMsAtLeast(group.windowMs);
  const [ended, sent] = [countingAlong(highs), countingAlong(lows)];
  let surely: ReturnType<typeof surelyWithin> | null = null;
  for (const admission of group.admitted) {
    if (ended.below(admission.lowMs) < group.limit) continue;
    // What ended before it began before it: few that began inside the window need no closer look.
    const began = sent.below(admission.lowMs) - sent.upTo(admission.highMs - spanMs);
    if (began < group.limit) continue;
    surely ??= surelyWithin(histories.flat());
    const { length: countedBefore } = surely(admission.highMs - spanMs, admission.lowMs);
    if (countedBefore >= group.limit) return { by: admission, countedBefore };
  }
  return null;
}
