import { settledAfterMs } from '../contract/bounds.ts';
import { scopesOf } from '../contract/document/document.ts';
import { countedWith, outermostOf, outerOf } from '../contract/document/within.ts';
import { leastOf } from '../contract/extremes.ts';
import { once } from '../contract/once.ts';
import { limitIn, type Scope } from '../contract/scopes.ts';
import type { TraceHeader } from '../contract/trace-header.ts';
import { windowMsIn } from '../contract/trace-windows.ts';
import { type Group, togetherOf } from './entries.ts';
import { withTheseRefusals } from './without-refusals.ts';

/**
 * The groups; those whose scope shares a limit with another one have what that limit counts of their key.
 * @param areTogether all of them are of keys that share their windows.
 */
export function withOuter(
  groups: readonly Group[],
  header: TraceHeader,
  areTogether = false,
): readonly Group[] {
  const { document } = header.deployment;
  if (outermostOf(document).length === scopesOf(document).length) return groups;
  const outers = new Map<Group, Group>();
  for (const ofKey of Map.groupBy(groups, ({ key }) => (areTogether ? '' : key)).values()) {
    const families = Map.groupBy(ofKey, ({ scope }) => outerOf(document, scope) ?? scope);
    for (const [scope, members] of families) {
      if (countedWith(document, scope).length === 1) continue;
      const outer = outerGroup(header, scope, members as [Group, ...Group[]]);
      for (const member of members) outers.set(member, outer);
    }
  }
  return groups.map((group) => {
    const outer = outers.get(group);
    return outer === undefined ? group : { ...group, outer };
  });
}

function outerGroup(header: TraceHeader, scope: Scope, members: readonly [Group, ...Group[]]): Group {
  const windowMs = windowMsIn(header, scope);
  const begunMs = leastOf(members.map((one) => one.settledMs - settledAfterMs(one.windowMs)));
  return {
    ...togetherOf(members),
    ...{ key: members[0].key, scope, limit: limitIn(header.limits, scope), windowMs },
    settledMs: begunMs + settledAfterMs(windowMs),
  };
}

/**
 * A group as the limits of its scope see it: with the requests of the scopes that lie within it, whose refusals may be of limits
 * of their own.
 */
export const countedGroup = once((group: Group): Group => {
  const { outer, scope, limit, windowMs } = group;
  if (outer === undefined || outer.scope !== scope) return group;
  return { ...withRefusalsOf(group, outer), limit, windowMs, outer };
});

/** A group, each of whose refusals any request may explain that takes a place of a limit that it has to pass. */
export const explainedByOuter = once((group: Group): Group => {
  const { outer } = group;
  return outer === undefined ? group : { ...group, explaining: withRefusalsOf(group, outer).explaining };
});

/** What an outer limit counts; who refused what is of other scopes than that of a group is not known. */
function withRefusalsOf({ limited }: Group, outer: Group): Group {
  return withTheseRefusals(outer, new Set(limited.map(({ exchange }) => exchange)));
}
