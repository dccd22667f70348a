import type { Deployment } from '../contract/deployment.ts';
import { areKeysCountedTogether, scopesByCounting } from '../contract/document/counted-by.ts';
import { isRollingIn } from '../contract/document/document.ts';
import { countedWith, outerOf } from '../contract/document/within.ts';
import type { ClockSteps } from './clock-steps.ts';
import { type Group, keysIn } from './entries.ts';
import type { GroupedTrace } from './grouped.ts';
import { countedGroup } from './outer.ts';
import { admittedBeyond } from './promises/together.ts';
import { type Apart, admissionWhileFull } from './sharing.ts';

/** What may be counted with a group though the document has it apart, and what shows that it is not. */
export type Beside = {
  /** Admissions that show keys, or scopes, to be counted apart; `null` where none does. */
  readonly keysApart: Apart | null;
  readonly scopesApart: Apart | null;
  /** What the keys of a group did at scopes that are counted apart from its own. */
  readonly ofKey: (group: Group) => readonly Group[];
  /** Of these, those that may share its window: none once scopes are shown apart. */
  readonly otherScopes: (group: Group) => readonly Group[];
  /** What other keys did at its scope, where they may share its window. */
  readonly otherKeys: (group: Group) => readonly Group[];
};

export function besideIn({ saved, groups, alone, stepped }: GroupedTrace): Beside {
  const { deployment } = saved.header;
  const { document } = deployment;
  const found = { stepped, deployment };
  const ofScope = Map.groupBy(groups, ({ scope }) => scope);
  const countsByKey = (scope: string): boolean => !areKeysCountedTogether(document, scope);
  const byKey = [...ofScope].flatMap(([scope, ofKeys]) => (countsByKey(scope) ? [ofKeys] : []));
  const keysApart = firstApart(byKey, found);
  // Where some scopes count keys together and others do not, what one key did is common to all.
  const ways = scopesByCounting(document);
  const isMixed = ways.has('key') && ways.size > 1;
  // What lies within another scope is counted with it anyway.
  const outermost = (isMixed ? alone : groups)
    .filter(({ scope }) => outerOf(document, scope) === null)
    .map(countedGroup);
  const scopesApart = firstApart(Map.groupBy(outermost, ({ key }) => key).values(), found);
  const joint = isMixed ? groups.filter(({ key }) => keysIn(key).length > 1) : [];
  const withKeysOf = withKeysIn(groups, joint);
  const ofKey = (group: Group): readonly Group[] => {
    const together = countedWith(document, group.scope);
    return withKeysOf(group).filter((other) => !together.includes(other.scope));
  };
  return {
    keysApart,
    scopesApart,
    ofKey,
    otherScopes: (group) => (scopesApart === null ? ofKey(group) : []),
    otherKeys: ({ key, scope }) =>
      keysApart === null && countsByKey(scope)
        ? (ofScope.get(scope) ?? []).filter((other) => other.key !== key)
        : [],
  };
}

/** The groups that have a key in common with one; `joint` are those of several keys, where others are of one. */
function withKeysIn(groups: readonly Group[], joint: readonly Group[]): (group: Group) => readonly Group[] {
  const ofKey = Map.groupBy(groups, ({ key }) => key);
  return (group) =>
    joint.includes(group)
      ? groups.filter(({ key }) => keysIn(key).some((one) => keysIn(group.key).includes(one)))
      : [...(ofKey.get(group.key) ?? []), ...joint.filter(({ key }) => keysIn(key).includes(group.key))];
}

/** An admission that one count of several groups would have refused, by what each of their limits promises. */
function shownApart(groups: readonly Group[], deployment: Deployment): Apart | null {
  return groups.every(({ scope }) => isRollingIn(deployment.document, scope))
    ? admissionWhileFull(groups)
    : admittedBeyond(groups, deployment);
}

/** Of the groups that have a scope, or a key, in common, the first admission that shows them counted apart. */
function firstApart(
  groups: Iterable<readonly Group[]>,
  { stepped, deployment }: { readonly stepped: ClockSteps; readonly deployment: Deployment },
): Apart | null {
  for (const together of groups) {
    const apart = together.length < 2 ? null : shownApart(together, deployment);
    if (apart === null) continue;
    const { lowMs, highMs } = apart.by;
    if (!stepped(lowMs - (together[0]?.windowMs ?? 0), highMs)) return apart;
  }
  return null;
}
