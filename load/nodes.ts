import type { Lane } from './plan/lane.ts';
import { type PlanSetting, preferredScope, type Scenario, usual } from './plan/scenario.ts';
import { countedFrom, oneClient } from './plan/usual-lanes.ts';

/**
 * Shows that the nodes of a service share one window. One burst goes to all base URLs in turn: the limit is admitted
 * once, not once for each node (clause `load.nodes`).
 *
 * Requests: the number of nodes and a half times the limit (1,050 with three nodes), in one batch of one client. Time:
 * about two seconds with k6's start.
 */
export const nodes = {
  ...usual,
  name: 'nodes',
  clause: 'load.nodes',
  shows: 'nodes of a service share one window',
  nodesMin: 2,
  planner: nodesPlan,
} as const satisfies Scenario;

/**
 * One burst on one key, each request to the next node. It is half a limit more than nodes with separate counts would
 * admit.
 */
function nodesPlan({ scopes, nodes }: PlanSetting): readonly Lane[] {
  const scope = preferredScope(scopes, ['messages', 'standard', 'media']);
  if (scope === null) return [];
  const { name, limit, windowMs } = scope;
  const count = Math.ceil((nodes + 0.5) * limit);
  return [
    {
      ...oneClient,
      name: 'in_turn',
      scope: name,
      windowMs,
      ...countedFrom(scope, 0),
      waves: [{ purpose: 'in-turn', atMs: 0, count }],
    },
  ];
}
