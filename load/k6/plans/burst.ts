import type { Scope } from '../../../contract/scopes.ts';
import type { Planner, PlanSetting, WaveLane } from '../lane.ts';

/** A burst is so many times the limit. */
const burstFactor = 1.5;

/** Time for several clients to open their connections and to wait for each other, ms. */
const gatherMs = 1_000;

const fileBytesMax = 1_048_576;

/**
 * One burst of 1.5 × the limit. A k6 batch opens a connection for each of its requests that finds none free, so one
 * keyless batch of the burst's own size leaves a connection for every request of the burst; fewer do not.
 */
export function burstPlan(scope: Scope): (setting: PlanSetting) => readonly [WaveLane] {
  return ({ limits, vus, warmUp }) => {
    const count = Math.ceil(limits[scope] * burstFactor);
    return [
      {
        kind: 'waves',
        name: 'burst',
        scope,
        keys: { first: 0, count: 1 },
        nodes: 'first',
        origin: 'start',
        waves: [{ purpose: 'burst', atMs: vus === 1 ? 0 : gatherMs, count }],
        vus: Math.min(vus, count),
        warmUp: warmUp === 'keyless' ? count : 0,
      },
    ];
  };
}

/** The same with uploads from a few bytes to 1 MiB. */
export const mediaBurstPlan: Planner = (setting) => {
  const [lane] = burstPlan('media')(setting);
  return [{ ...lane, fileBytesMax }];
};
