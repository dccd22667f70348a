import type { PromiseKind } from '../../contract/document/promise.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { Lane, WaveLane } from './lane.ts';
import type { LimitToLoad, Planner, PlanSetting, ScopeToLoad } from './scenario.ts';

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
export function burstLane(limited: ScopeToLoad, { vus }: Pick<PlanSetting, 'vus'>): WaveLane {
  const { name: scope, limit, windowMs } = limited;
  const count = Math.ceil(limit * burstFactor);
  const first = Math.ceil(limit * openingShare);
  return {
    ...oneClient,
    name: 'burst',
    // A window that is aligned to the wall clock would let more than its limit pass a burst on both sides of a boundary.
    origin: 'clear-of-boundary',
    scope,
    windowMs,
    nodes: 'first',
    waves: [
      { purpose: 'open', atMs: vus === 1 ? 0 : gatherMs, count: first },
      { purpose: 'burst', atMs: vus === 1 ? 0 : 2 * gatherMs, count: count - first },
    ],
    vus: Math.min(vus, count),
    ...countedFrom(limited, vus === 1 ? 0 : gatherMs),
  };
}

/** How many bursts begin within a second and a half, so that none of them disturbs another, ms. */
const burstsApartMs = 1_500;

/** A burst to each of several scopes, one after another. */
export function burstLanes(
  scopes: readonly ScopeToLoad[],
  setting: Pick<PlanSetting, 'vus'>,
): readonly WaveLane[] {
  return scopes.map((scope, at) => {
    const lane = burstLane(scope, setting);
    const laterMs = at * burstsApartMs;
    const waves = lane.waves.map((wave) => ({ ...wave, atMs: wave.atMs + laterMs }));
    const counted = countedFrom(scope, waves[0]?.atMs ?? 0);
    return { ...lane, ...counted, name: laneName('burst', scope.name), waves, spreadsFiles: true };
  });
}

/**
 * An evenly spaced stream to every scope at the same time, all on one key, for the duration of the pressure. A scope gets none where
 * there are no requests in a window.
 */
export function everyScope(purpose: string, requestsPerWindow: (limit: number) => number): Planner {
  return ({ scopes, windows }) =>
    scopes
      .filter(({ pace }) => requestsPerWindow(pace.limit) > 0)
      .map(({ name, pace }) => ({
        kind: 'stream',
        name: laneName(purpose, name),
        scope: name,
        windowMs: pace.windowMs,
        ...countedFrom(pace, 0),
        keys: { first: 0, count: 1 },
        nodes: 'in-turn',
        purpose,
        startMs: 0,
        durationMs: windows * pace.windowMs,
        count: windows * requestsPerWindow(pace.limit),
      }));
}

/** The name of a lane: k6 takes no hyphen in one. */
export function laneName(purpose: string, scope: Scope): string {
  return `${purpose}_${scope.replaceAll('-', '_')}`;
}

/**
 * The most that a limit lets pass in any stretch of time that is shorter than its window; `null` where it is no bound. Of
 * windows that begin anew such a stretch meets two; a bucket gives what it holds, and what comes back meanwhile.
 */
const mostIn: Readonly<Record<PromiseKind, (limit: number) => number | null>> = {
  rolling: (limit) => limit,
  'at-most': (limit) => limit,
  fixed: (limit) => 2 * limit,
  'token-bucket': (limit) => 2 * limit + 1,
  unsaid: (limit) => 2 * limit + 1,
  'at-least': () => null,
};

/** A count of the admissions from a moment on, ms after a lane's origin, where a count can prove anything. */
export function countedFrom({ kind, limit }: LimitToLoad, fromMs: number): Pick<Lane, 'counted'> {
  const most = mostIn[kind](limit);
  return most === null ? {} : { counted: { fromMs, most } };
}
