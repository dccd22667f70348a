import { settledAfterMs } from '../../contract/bounds.ts';
import type { Deployment } from '../../contract/deployment.ts';
import type { Group } from '../entries.ts';
import { inUnits } from './in-units.ts';
import type { Promised } from './prover.ts';

/** A group as a promise is held against it: in units of its limit. The same object each time, so that what is found of it can be kept. */
export function promisedOf(group: Group, deployment: Deployment): Promised {
  const ofDeployment = known.get(deployment) ?? new WeakMap<Group, Promised>();
  known.set(deployment, ofDeployment);
  const promised = ofDeployment.get(group) ?? promisedAnew(group, deployment);
  ofDeployment.set(group, promised);
  return promised;
}

const known = new WeakMap<Deployment, WeakMap<Group, Promised>>();

function promisedAnew(group: Group, { exclusiveKeys, clockSkewSecondsMax }: Deployment): Promised {
  return {
    group: inUnits(group),
    refusals: exclusiveKeys ? group.limited : [],
    begunMs: group.settledMs - settledAfterMs(group.windowMs),
    skewMs: clockSkewSecondsMax * 1_000,
  };
}
