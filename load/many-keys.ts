import type { Lane } from './plan/lane.ts';
import {
  type PlanSetting,
  preferredScope,
  type Scenario,
  type ScopeToLoad,
  settledLaterMs,
  usual,
} from './plan/scenario.ts';
import { countedFrom, oneClient } from './plan/usual-lanes.ts';

/**
 * Shows that limits are per key, also with very many keys (1,000; `--keys`): no key is refused because of other keys,
 * and three of them still get exactly the limit (clause `load.many-keys`). It also shows how the time of an answer
 * grows with the number of keys in use (clause `load.keys-cost`).
 *
 * Requests: 100 a second with 1, 10, 100 … keys in turn, a window later every key once more, then 1.2 × the limit on
 * each of three keys: 2,704 with 1,000 keys. Below a limit of 5 it does not begin with a single key. Time: a window and 16 s with 1,000 keys.
 */
export const manyKeys = {
  ...usual,
  name: 'many-keys',
  clause: 'load.many-keys',
  shows: 'limits are per key with 1,000 keys, and what many keys cost in time',
  keys: 'many',
  takes: ['keys'],
  planner: manyKeysPlan,
} as const satisfies Scenario;

/** Slow enough to measure the cost of keys, not of load. */
const requestsPerSecond = 100;

/** Requests for each number of keys, unless it has more keys than this. */
const stepRequests = 100;

const fillFactor = 1.2;

/**
 * A ladder of 1, 10, 100 … keys at one pace. A window later, when refusals can be judged, every key once more; then
 * three of the keys are filled at once. No key comes near its limit before that.
 */
function manyKeysPlan(setting: PlanSetting): readonly Lane[] {
  const scope = preferredScope(setting.scopes, ['standard', 'messages', 'media']);
  if (scope === null) return [];
  const { keys } = setting;
  const { limit, windowMs } = scope;
  const stream = (purpose: string, at: { count: number; keys: number; startMs: number }): Lane => ({
    kind: 'stream',
    name: purpose.replaceAll('-', '_'),
    scope: scope.name,
    windowMs,
    keys: { first: 0, count: at.keys },
    nodes: 'in-turn',
    purpose,
    startMs: at.startMs,
    durationMs: Math.round((1_000 * at.count) / requestsPerSecond),
    count: at.count,
  });
  const lanes: Lane[] = [];
  let startMs = 0;
  for (const { rung, count } of ladder(keys, limit)) {
    lanes.push(stream(`keys-${rung}`, { count, keys: rung, startMs }));
    if (rung < keys) startMs += (1_000 * count) / requestsPerSecond + pauseMs;
  }
  const againMs = Math.round(startMs) + settledLaterMs(scope.longestMs);
  const again = stream('again', { count: keys, keys, startMs: againMs });
  const fillMs = againMs + Math.round((1_000 * keys) / requestsPerSecond) + pauseMs;
  return [...lanes, again, ...filled(setting, scope, fillMs)];
}

const pauseMs = 500;

type Rung = { readonly rung: number; readonly count: number };

/**
 * The requests of each number of keys. The first key has some of all of them, so the smallest numbers are left out where they would
 * fill its window; with all keys, each has one at least.
 */
function ladder(keys: number, limit: number): readonly Rung[] {
  let left = Math.max(1, limit - 1);
  const taken: Rung[] = [];
  for (const rung of rungsTo(keys).toReversed()) {
    const usual = Math.max(1, Math.floor(rung === 1 ? 0.6 * limit : limit / 10));
    const count = Math.max(rung, Math.min(stepRequests, Math.min(usual, left) * rung));
    left -= Math.ceil(count / rung);
    if (left < 0) break;
    taken.unshift({ rung, count });
  }
  return taken;
}

/** 1, 10, 100 … up to all keys. */
function rungsTo(keys: number): readonly number[] {
  const rungs: number[] = [];
  for (let rung = 1; rung < keys; rung *= 10) rungs.push(rung);
  return [...rungs, keys];
}

function filled({ keys }: PlanSetting, scope: ScopeToLoad, atMs: number): readonly Lane[] {
  const positions = [...new Set([0, Math.floor(keys / 2), keys - 1])];
  return positions.map((first, at) => ({
    ...oneClient,
    name: `fill_${at + 1}`,
    scope: scope.name,
    windowMs: scope.windowMs,
    ...countedFrom(scope, atMs),
    keys: { first, count: 1 },
    waves: [{ purpose: 'fill', atMs, count: Math.ceil(fillFactor * scope.limit) }],
  }));
}
