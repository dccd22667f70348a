import { limitIn, type Scope } from '../../contract/scopes.ts';
import type { WaveLane } from './lane.ts';
import type { Planner, PlanSetting } from './scenario.ts';

/** Waves of one client on the first key. */
export const oneClient = {
  kind: 'waves',
  keys: { first: 0, count: 1 },
  nodes: 'in-turn',
  origin: 'start',
  vus: 1,
} as const;

/** A burst, as a multiple of the limit, and the part of the limit that it begins with. */
const burstFactor = 1.5;
const openingShare = 2 / 3;

/** Time for several clients to open their connections and to wait for each other, ms. */
const gatherMs = 1_000;

/**
 * One burst of 1.5 × the limit. A k6 batch opens a connection for each of its requests that finds none free. So the
 * first part of the burst, which is below the limit, leaves as many connections for the second, and the limit is reached
 * by requests over connections that are open. Nothing is sent for the connections alone: a request without a key may
 * get the address banned.
 */
export function burstLane(scope: Scope, { limits, vus }: PlanSetting): WaveLane {
  const count = Math.ceil(limitIn(limits, scope) * burstFactor);
  const first = Math.ceil(limitIn(limits, scope) * openingShare);
  return {
    ...oneClient,
    name: 'burst',
    // A window that is aligned to the wall clock would let more than its limit pass a burst on both sides of a boundary.
    origin: 'clear-of-boundary',
    scope,
    nodes: 'first',
    waves: [
      { purpose: 'open', atMs: vus === 1 ? 0 : gatherMs, count: first },
      { purpose: 'burst', atMs: vus === 1 ? 0 : 2 * gatherMs, count: count - first },
    ],
    vus: Math.min(vus, count),
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
      count: windows * requestsPerWindow(limitIn(limits, scope)),
    }));
}
