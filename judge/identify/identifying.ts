import { costOf } from '../../contract/document/cost.ts';
import type { Group } from '../entries.ts';
import { type KeyInScope, mostTelling } from '../most-telling.ts';
import { hasCosts } from '../promises/in-units.ts';
import { type Identification, identifying } from './identification.ts';
import { identifyGroups, wasProbed } from './identify-groups.ts';
import { limitersMax } from './looked-at.ts';

/** The groups whose limiters are identified, in their order, and how many more could be. */
export type Identifiable = { readonly chosen: readonly Group[]; readonly leftOut: number };

/** @param shown where violations are shown, which the limiter explains. */
export function identifiableOf(groups: readonly Group[], shown: readonly KeyInScope[] = []): Identifiable {
  const all = groups.filter((group) => isIdentifiable(group) && wasProbed(group));
  const chosen = mostTelling(all, limitersMax, shown);
  return { chosen, leftOut: all.length - chosen.length };
}

export function identifiedOne(group: Group): Identification {
  return identifying(group, () => identifyGroups([group]));
}

/** Where every request costs more than 1, the limit is known no closer than by what the cheapest costs, and no model has that. */
function isIdentifiable(group: Group): boolean {
  return !hasCosts(group) || group.explaining.some(({ exchange }) => costOf(exchange) === 1);
}
