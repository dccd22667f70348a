import { preferredScope, type Scenario, usual } from './plan/scenario.ts';
import { oneClient } from './plan/usual-lanes.ts';

/**
 * One request to each of the first nodes, to see whether k6 gets there as the checks do. It is no entry of the load suite:
 * it shows nothing of a limit.
 */
export function oneRequest(count: number): Scenario {
  return {
    ...usual,
    name: 'one-request',
    clause: 'none',
    shows: 'that k6 reaches the service',
    planner: ({ scopes }) => {
      const scope = preferredScope(scopes, ['standard', 'messages', 'media']);
      if (scope === null) return [];
      const { name, windowMs } = scope;
      return [
        { ...oneClient, name: 'look', scope: name, windowMs, waves: [{ purpose: 'look', atMs: 0, count }] },
      ];
    },
  };
}
