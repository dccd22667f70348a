import { settledAfterMs } from '../../contract/bounds.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { onceForBoth } from '../../contract/once-for-both.ts';
import type { Group } from '../entries.ts';
import { countedGroup } from '../outer.ts';
import { inUnits } from './in-units.ts';
import type { PromisedGroup } from './prover.ts';

/** A group as a promise is held against it: in units of its limit. The same object each time, so that what is found of it can be kept. */
export const promisedOf = onceForBoth(
  (own: Group, { exclusiveKeys, clockSkewSecondsMax }: Deployment): PromisedGroup => {
    const group = countedGroup(own);
    return {
      group: inUnits(group),
      refusals: exclusiveKeys ? group.limited : [],
      begunMs: group.settledMs - settledAfterMs(group.windowMs),
      skewMs: clockSkewSecondsMax * 1_000,
    };
  },
);
