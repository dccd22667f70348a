import type { GroupMeasure } from '../contract/judgement.ts';
import { mostOfEach } from '../contract/most-of-each.ts';
import type { Report } from './result.ts';

/** As many keys and scopes as a reader looks at; `report.json` has all. */
const groupsShownMax = 30;

/** Keys and scopes that stand in a table of their own, and those that one line sums up. */
export type ShownGroups = {
  readonly shown: readonly GroupMeasure[];
  readonly rest: readonly GroupMeasure[];
};

/**
 * Of many the scopes take turns: first those whose limiter is known, then those with the most requests.
 * @param most lines there are room for, that of the others among them.
 */
export function shownGroups(
  groups: readonly GroupMeasure[],
  { identified }: Pick<Report, 'identified'>,
  most = groupsShownMax,
): ShownGroups {
  if (groups.length <= most) return { shown: groups, rest: [] };
  const known = new Set(identified.map(nameOf));
  const shown = mostOfEach(groups, most - 1, {
    of: ({ scope }) => scope,
    weight: (group) => (known.has(nameOf(group)) ? Number.MAX_SAFE_INTEGER / 2 : 0) + group.sent,
  });
  const isShown = new Set(shown);
  return { shown, rest: groups.filter((group) => !isShown.has(group)) };
}

function nameOf({ scope, key }: { readonly scope: string; readonly key: string }): string {
  return JSON.stringify([scope, key]);
}
