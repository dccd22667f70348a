import type { Lane, PlanSetting } from '../lane.ts';
import { settledLaterMs } from './settled-after.ts';

const burstFactor = 1.2;

/**
 * One request to each scope, and when refusals can be judged 1.2 × the limit to all of them at once. One count for all
 * scopes would be full long before each had its own limit.
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
        count: Math.ceil(burstFactor * limits[scope]),
      },
    ],
    vus: 1,
    warmUp: 0,
  }));
}
