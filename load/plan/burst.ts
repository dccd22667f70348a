import type { Scope } from '../../contract/scopes.ts';
import type { WaveLane } from './lane.ts';
import type { PlanSetting } from './setting.ts';

/** A burst is so many times the limit. */
const burstFactor = 1.5;

/** Time for several clients to open their connections and to wait for each other, ms. */
const gatherMs = 1_000;

/**
 * One burst of 1.5 × the limit. A k6 batch opens a connection for each of its requests that finds none free, so one
 * keyless batch of the burst's own size leaves a connection for every request of the burst; fewer do not.
 */
export function burstLane(scope: Scope, { limits, vus, warmUp }: PlanSetting): WaveLane {
  const count = Math.ceil(limits[scope] * burstFactor);
  return {
    kind: 'waves',
    name: 'burst',
    scope,
    keys: { first: 0, count: 1 },
    nodes: 'first',
    origin: 'start',
    waves: [{ purpose: 'burst', atMs: vus === 1 ? 0 : gatherMs, count }],
    vus: Math.min(vus, count),
    warmUp: warmUp === 'keyless' ? count : 0,
  };
}
