import type { Lane } from './plan/lane.ts';
import { type PlanSetting, preferredScope, type Scenario, settledLaterMs, usual } from './plan/scenario.ts';
import { countedFrom } from './plan/usual-lanes.ts';

/**
 * Shows that a key that floods `/v1/messages` at five times its limit costs another key nothing: the neighbour sends
 * half its limit without a 429 (clause `load.noisy-neighbour`). Its latency is measured without and with the flood
 * (clause `load.neighbour-latency`).
 *
 * Requests: the neighbour sends half the limit a window, alone for half a window (75), then during the flood for a
 * window and two seconds (155). The flood is 1,550. Of a limit below 6 the neighbour sends one request alone, and one
 * beside the flood. Time: 1.5 windows and two seconds.
 */
export const noisyNeighbour = {
  ...usual,
  name: 'noisy-neighbour',
  clause: 'load.noisy-neighbour',
  shows: 'a key that floods costs another key nothing',
  keys: 'two',
  planner: noisyNeighbourPlan,
} as const satisfies Scenario;

/** The flood as a multiple of the limit, and the neighbour's requests as a share of its own limit. */
const floodFactor = 5;
const neighbourShare = 0.5;

/** Fewer requests than this, evenly spaced beside the flood, may all be too early for their refusals to be judged. */
const besideMin = 3;

/**
 * The neighbour sends at half its limit: alone for half a window, then during a flood on another key for a window and
 * two seconds. So refusals of the neighbour can be judged for half a window and more. Where that is hardly a request, it
 * sends one alone and another one as soon as a refusal can be judged.
 */
function noisyNeighbourPlan(setting: PlanSetting): readonly Lane[] {
  const scope = preferredScope(setting.scopes, ['messages', 'standard', 'media']);
  if (scope === null) return [];
  const { limit, windowMs } = scope.pace;
  const aloneMs = Math.round(windowMs / 2);
  const floodMs = windowMs + 2_000;
  const during = (requestsPerWindow: number, durationMs: number): number =>
    Math.floor((requestsPerWindow * durationMs) / windowMs);
  const common = { kind: 'stream', scope: scope.name, windowMs, nodes: 'in-turn' } as const;
  const neighbour = { ...common, keys: { first: 1, count: 1 } };
  const flood = { startMs: aloneMs, durationMs: floodMs };
  const usualCount = during(neighbourShare * limit, floodMs);
  const lateMs = settledLaterMs(windowMs);
  const beside =
    usualCount < besideMin
      ? { startMs: lateMs, durationMs: aloneMs + floodMs - lateMs, count: 1 }
      : { ...flood, count: usualCount };
  return [
    {
      ...neighbour,
      name: 'alone',
      purpose: 'alone',
      startMs: 0,
      durationMs: aloneMs,
      count: Math.max(1, during(neighbourShare * limit, aloneMs)),
    },
    { ...neighbour, name: 'beside_flood', purpose: 'beside-flood', ...beside },
    {
      ...common,
      keys: { first: 0, count: 1 },
      name: 'flood',
      purpose: 'flood',
      ...countedFrom(scope.pace, 0),
      ...flood,
      count: during(floodFactor * limit, floodMs),
    },
  ];
}
