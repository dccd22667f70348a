import type { Lane, PlanSetting } from '../lane.ts';
import { preferredScope } from './preferred-scope.ts';
import { settledLaterMs } from './settled-after.ts';

/** Slow enough that what is measured is the cost of keys, not of load. */
const requestsPerSecond = 100;

/** Requests by which one step of the ladder is measured, unless it has more keys. */
const stepRequests = 100;

const fillFactor = 1.2;

/**
 * A ladder of 1, 10, 100 … keys at one pace; a window later every key once more, when refusals can be judged; then three
 * of the keys filled at once. No key comes near its limit before that.
 */
export function manyKeysPlan(setting: PlanSetting): readonly Lane[] {
  const scope = preferredScope(setting.scopes, ['standard', 'messages', 'media']);
  if (scope === null) return [];
  const { keys, windowMs, limits } = setting;
  const limit = limits[scope];
  const stream = (purpose: string, at: { count: number; keys: number; startMs: number }): Lane => ({
    kind: 'stream',
    name: purpose.replaceAll('-', '_'),
    scope,
    keys: { first: 0, count: at.keys },
    nodes: 'in-turn',
    purpose,
    startMs: at.startMs,
    durationMs: Math.round((1_000 * at.count) / requestsPerSecond),
    count: at.count,
  });
  const lanes: Lane[] = [];
  let startMs = 0;
  for (const rung of rungsTo(keys)) {
    const perKey = rung === 1 ? Math.floor(0.6 * limit) : Math.floor(limit / 10);
    const count = Math.max(rung, Math.min(stepRequests, perKey * rung));
    const lane = stream(`keys-${rung}`, { count, keys: rung, startMs });
    lanes.push(lane);
    if (rung < keys) startMs += (1_000 * count) / requestsPerSecond + pauseMs;
  }
  const againMs = Math.round(startMs) + settledLaterMs(windowMs);
  const again = stream('again', { count: keys, keys, startMs: againMs });
  const fillMs = againMs + Math.round((1_000 * keys) / requestsPerSecond) + pauseMs;
  return [...lanes, again, ...filled(setting, { scope, atMs: fillMs })];
}

const pauseMs = 500;

/** 1, 10, 100 … up to all keys. */
function rungsTo(keys: number): readonly number[] {
  const rungs: number[] = [];
  for (let rung = 1; rung < keys; rung *= 10) rungs.push(rung);
  return [...rungs, keys];
}

function filled(
  { keys, limits }: PlanSetting,
  { scope, atMs }: { readonly scope: Lane['scope']; readonly atMs: number },
): readonly Lane[] {
  const positions = [...new Set([0, Math.floor(keys / 2), keys - 1])];
  return positions.map((first, at) => ({
    kind: 'waves',
    name: `fill_${at + 1}`,
    scope,
    keys: { first, count: 1 },
    nodes: 'in-turn',
    origin: 'start',
    waves: [{ purpose: 'fill', atMs, count: Math.ceil(fillFactor * limits[scope]) }],
    vus: 1,
    warmUp: 0,
  }));
}
