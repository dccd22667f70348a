import type { Lane } from './plan/lane.ts';
import { type PlanSetting, type Scenario, settledLaterMs, usual } from './plan/scenario.ts';
import { countedFrom, laneName, oneClient } from './plan/usual-lanes.ts';

/**
 * Shows that each scope keeps a limit of its own when all are full at once on one key: 120, 300 and 30 admitted (clause
 * `load.mixed-scopes`).
 *
 * Requests: one to each scope; a window later, when every refusal can be judged, exactly the limit to each scope at
 * once (450); a second after that a fifth more (90). Time: a window and three seconds.
 */
export const mixedScopes = {
  ...usual,
  name: 'mixed-scopes',
  clause: 'load.mixed-scopes',
  shows: 'each scope keeps its own limit when all are full at once',
  planner: mixedScopesPlan,
} as const satisfies Scenario;

/** Beyond the limit, as a share of it. */
const excessShare = 0.2;

/** Long enough for the answers to the burst before, ms. */
const excessAfterMs = 1_000;

/**
 * One request to each scope. When refusals can be judged, exactly the limit goes to all scopes at once: under either
 * reading of rejections none of these may be refused, while one shared count would be full long before. A second later
 * come a few more, for which no place is left.
 */
function mixedScopesPlan({ scopes }: PlanSetting): readonly Lane[] {
  const togetherMs = settledLaterMs(Math.max(0, ...scopes.map(({ longestMs }) => longestMs)));
  return scopes.map((scope) => ({
    ...oneClient,
    name: laneName('mixed', scope.name),
    scope: scope.name,
    windowMs: scope.windowMs,
    ...countedFrom(scope, togetherMs),
    waves: [
      { purpose: 'anchor', atMs: 0, count: 1 },
      {
        purpose: 'all-at-once',
        atMs: togetherMs,
        count: scope.limit,
      },
      {
        purpose: 'excess',
        atMs: togetherMs + Math.min(excessAfterMs, scope.windowMs / 4),
        count: Math.ceil(excessShare * scope.limit),
      },
    ],
  }));
}
