import { mostOfEach } from '../contract/most-of-each.ts';
import { type Group, isProbed } from './entries.ts';

/** One key in one scope. */
export type KeyInScope = { readonly key: string | null; readonly scope: string };

/**
 * So many groups, in their order, that tell most of a service: where all cannot be shown, a thousand keys of one limit say
 * no more than some of them. The scopes take turns. First come those that a violation is shown by, then those of the probes,
 * then those of which most was refused.
 */
export function mostTelling(
  groups: readonly Group[],
  most: number,
  shown: readonly KeyInScope[] = [],
): readonly Group[] {
  return mostOfEach(groups, most, { of: ({ scope }) => scope, weight: (group) => weightOf(group, shown) });
}

function weightOf(group: Group, shown: readonly KeyInScope[]): number {
  if (shown.some(({ key, scope }) => key === group.key && scope === group.scope)) return shownWeight;
  return (isProbed(group) ? probedWeight : 0) + group.limited.length;
}

/** Each more than what comes after it can have. */
const shownWeight = 1e12;
const probedWeight = 1e9;
