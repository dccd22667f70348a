import { windowMsAtLeast } from '../contract/bounds.ts';
import { type Entry, type Group, mergedEntries } from './entries.ts';
import { countBelow, explainedLengths } from './lengths.ts';

export type Apart = { readonly by: Entry; readonly countedBefore: number };

/**
 * Whether refusals that a group's own requests cannot explain are explained by the requests of several groups counted
 * in one window. It says nothing where an admission has shown them apart: ask `admissionWhileFull` first.
 * @param others the groups that may share its window: other scopes of its key, or other keys of its scope.
 * @param unexplainedMs a refusal that needs a window longer than this is not explained.
 */
export function isExplainedTogether(group: Group, others: readonly Group[], unexplainedMs: number): boolean {
  if (others.length === 0) return false;
  const refusals = group.limited.filter((entry) => entry.lowMs >= group.settledMs);
  const alone = bestLow(group, group.entries, refusals);
  const together = bestLow(group, mergedEntries([group, ...others]), refusals);
  return alone.lowMs > unexplainedMs && together.lowMs <= unexplainedMs;
}

/** The shortest window that explains the refusals, under the reading that explains them best. */
function bestLow(group: Group, entries: readonly Entry[], refusals: readonly Entry[]) {
  const { limit } = group;
  const notCounted = explainedLengths({ limit, entries, reading: 'not-counted', refusals });
  const counted = explainedLengths({ limit, entries, reading: 'counted', refusals });
  return counted.lowMs < notCounted.lowMs ? counted : notCounted;
}

/** An admission that one window shared by all of them would certainly have refused; `null` where there is none. */
export function admissionWhileFull(groups: readonly Group[]): Apart | null {
  const counted = groups.flatMap((one) => one.admitted);
  const highs = Float64Array.from(counted, (entry) => entry.highMs).sort();
  for (const group of groups) {
    const spanMs = windowMsAtLeast(group.windowMs);
    for (const admission of group.admitted) {
      if (countBelow(highs, admission.lowMs) < group.limit) continue;
      const countedBefore = counted.reduce((count, entry) => {
        return entry.highMs < admission.lowMs && admission.highMs - entry.lowMs < spanMs ? count + 1 : count;
      }, 0);
      if (countedBefore >= group.limit) return { by: admission, countedBefore };
    }
  }
  return null;
}
