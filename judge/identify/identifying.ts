import { costOf } from '../../contract/document/cost.ts';
import type { Group } from '../entries.ts';
import { hasCosts } from '../promises/in-units.ts';
import { type Identification, identifying } from './identification.ts';
import { identifyGroups } from './identify-groups.ts';

export function identifiedOne(group: Group): Identification {
  if (!isIdentifiable(group)) return { made: [], failures: [] };
  return identifying(group, () => identifyGroups([group]));
}

/** Where every request costs more than 1, the limit is known no closer than by what the cheapest costs, and no model has that. */
export function isIdentifiable(group: Group): boolean {
  return !hasCosts(group) || group.explaining.some(({ exchange }) => costOf(exchange) === 1);
}
