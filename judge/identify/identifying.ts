import type { Group } from '../entries.ts';
import { hasCosts } from '../promises/in-units.ts';
import { type Identification, identifying } from './identification.ts';
import { identifyGroups } from './identify-groups.ts';

export function identifiedOne(group: Group): Identification {
  if (!isIdentifiable(group)) return { made: [], failures: [] };
  return identifying(group, () => identifyGroups([group]));
}

/** The models count requests: of those that cost more they would name a limit that is none. */
export function isIdentifiable(group: Group): boolean {
  return !hasCosts(group);
}
