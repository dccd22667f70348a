import type { Deployment } from '../../contract/deployment.ts';
import type { LimitPromise } from '../../contract/document/further-limit.ts';
import type { Group } from '../entries.ts';
import { promisedOf } from './promised-group.ts';
import type { Contradiction, Promised } from './prover.ts';
import { proverOf } from './provers.ts';

/** By what was asked, not by the group alone: whether others use the keys too is found out on the way. */
const known = new WeakMap<Promised, Map<LimitPromise, Contradiction | null>>();

/** What shows that a group's limit is not kept as promised, worked out once; `null` where nothing does. */
export function contradictionOf(
  group: Group,
  promise: LimitPromise,
  deployment: Deployment,
): Contradiction | null {
  const promised = promisedOf(group, deployment);
  const ofGroup = known.get(promised) ?? new Map<LimitPromise, Contradiction | null>();
  known.set(promised, ofGroup);
  const before = ofGroup.get(promise);
  if (before !== undefined) return before;
  const found = proverOf(promise)(promised);
  ofGroup.set(promise, found);
  return found;
}
