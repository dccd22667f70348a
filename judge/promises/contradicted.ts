import type { Deployment } from '../../contract/deployment.ts';
import type { LimitPromise } from '../../contract/document/further-limit.ts';
import type { Group } from '../entries.ts';
import { promisedOf } from './promised-group.ts';
import type { Contradiction } from './prover.ts';
import { proverOf } from './provers.ts';

const known = new WeakMap<Group, Map<LimitPromise, Contradiction | null>>();

/** What shows that a group's limit is not kept as promised, worked out once; `null` where nothing does. */
export function contradictionOf(
  group: Group,
  promise: LimitPromise,
  deployment: Deployment,
): Contradiction | null {
  const ofGroup = known.get(group) ?? new Map<LimitPromise, Contradiction | null>();
  known.set(group, ofGroup);
  const before = ofGroup.get(promise);
  if (before !== undefined) return before;
  const found = proverOf(promise)(promisedOf(group, deployment));
  ofGroup.set(promise, found);
  return found;
}
