import type { Scope } from '../../contract/scopes.ts';
import type { WaveLane } from './lane.ts';
import type { Planner, PlanSetting } from './scenario.ts';

/** Waves of one client on the first key, without connections that are opened in advance. */
export const oneClient = {
  kind: 'waves',
  keys: { first: 0, count: 1 },
  nodes: 'in-turn',
  origin: 'start',
  vus: 1,
  warmUp: 0,
} as const;

/** A burst, as a multiple of the limit. */
const burstFactor = 1.5;

/** Time for several clients to open their connections and to wait for each other, ms. */
const gatherMs = 1_000;

/**
 * One burst of 1.5 × the limit. A k6 batch opens a connection for each of its requests that finds none free, so one
 * keyless batch of the same size leaves a connection for every request of the burst. A smaller batch does not.
 */
export function burstLane(scope: Scope, { limits, vus, warmUp }: PlanSetting): WaveLane {
  const count = Math.ceil(limits[scope] * burstFactor);
  return {
    ...oneClient,
    name: 'burst',
    scope,
    nodes: 'first',
    waves: [{ purpose: 'burst', atMs: vus === 1 ? 0 : gatherMs, count }],
    vus: Math.min(vus, count),
    warmUp: warmUp === 'keyless' ? count : 0,
  };
}

/** An evenly spaced stream to every scope at the same time, all on one key, for the duration of the pressure. */
export function everyScope(purpose: string, requestsPerWindow: (limit: number) => number): Planner {
  return ({ scopes, limits, windows, windowMs }) =>
    scopes.map((scope: Scope) => ({
      kind: 'stream',
      name: `${purpose}_${scope}`,
      scope,
      keys: { first: 0, count: 1 },
      nodes: 'in-turn',
      purpose,
      startMs: 0,
      durationMs: windows * windowMs,
      count: windows * requestsPerWindow(limits[scope]),
    }));
}
