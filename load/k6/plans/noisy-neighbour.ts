import type { Lane, PlanSetting } from '../lane.ts';
import { preferredScope } from './preferred-scope.ts';

/** The flood is so many times the limit; the neighbour takes so large a share of its own. */
const floodFactor = 5;
const neighbourShare = 0.5;

/**
 * The neighbour goes on at half its limit: alone for half a window, then beside a flood on another key for a window and
 * two seconds, so that refusals of the neighbour's can be judged for half a window and more.
 */
export function noisyNeighbourPlan(setting: PlanSetting): readonly Lane[] {
  const scope = preferredScope(setting.scopes, ['messages', 'standard', 'media']);
  if (scope === null) return [];
  const { windowMs, limits } = setting;
  const limit = limits[scope];
  const aloneMs = Math.round(windowMs / 2);
  const floodMs = windowMs + 2_000;
  const during = (requestsPerWindow: number, durationMs: number): number =>
    Math.floor((requestsPerWindow * durationMs) / windowMs);
  const common = { kind: 'stream', scope, nodes: 'in-turn' } as const;
  const neighbour = { ...common, keys: { first: 1, count: 1 } };
  const flood = { startMs: aloneMs, durationMs: floodMs };
  return [
    {
      ...neighbour,
      name: 'alone',
      purpose: 'alone',
      startMs: 0,
      durationMs: aloneMs,
      count: during(neighbourShare * limit, aloneMs),
    },
    {
      ...neighbour,
      name: 'beside_flood',
      purpose: 'beside-flood',
      ...flood,
      count: during(neighbourShare * limit, floodMs),
    },
    {
      ...common,
      keys: { first: 0, count: 1 },
      name: 'flood',
      purpose: 'flood',
      ...flood,
      count: during(floodFactor * limit, floodMs),
    },
  ];
}
