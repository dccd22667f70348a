import type { Lane, PlanSetting } from '../lane.ts';
import { settledLaterMs } from './settled-after.ts';

/** Beyond the limit, as a share of it. */
const excessShare = 0.2;

/** Long enough for the burst before to be answered, ms. */
const excessAfterMs = 1_000;

/**
 * One request to each scope, and when refusals can be judged exactly the limit to all of them at once: under either
 * reading of rejections none of these may be refused, and one count for all scopes is full long before. A second later a
 * few more, which have no room.
 */
export function mixedScopesPlan({ windowMs, limits, scopes }: PlanSetting): readonly Lane[] {
  return scopes.map((scope) => ({
    kind: 'waves',
    name: `mixed_${scope}`,
    scope,
    keys: { first: 0, count: 1 },
    nodes: 'in-turn',
    origin: 'start',
    waves: [
      { purpose: 'anchor', atMs: 0, count: 1 },
      {
        purpose: 'all-at-once',
        atMs: settledLaterMs(windowMs),
        count: limits[scope],
      },
      {
        purpose: 'excess',
        atMs: settledLaterMs(windowMs) + Math.min(excessAfterMs, windowMs / 4),
        count: Math.ceil(excessShare * limits[scope]),
      },
    ],
    vus: 1,
    warmUp: 0,
  }));
}
