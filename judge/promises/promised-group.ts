import { settledAfterMs } from '../../contract/bounds.ts';
import type { Deployment } from '../../contract/deployment.ts';
import type { Group } from '../entries.ts';
import { inUnits } from './in-units.ts';
import type { Promised } from './prover.ts';

/** A group as a promise is held against it: in units of its limit. */
export function promisedOf(group: Group, { exclusiveKeys, clockSkewSecondsMax }: Deployment): Promised {
  return {
    group: inUnits(group),
    refusals: exclusiveKeys ? group.limited : [],
    begunMs: group.settledMs - settledAfterMs(group.windowMs),
    skewMs: clockSkewSecondsMax * 1_000,
  };
}
