import type { Lane, PlanSetting } from '../lane.ts';
import { preferredScope } from './preferred-scope.ts';

/** One burst on one key, each request to the next node: half the limit more than nodes with counts of their own admit. */
export function nodesPlan({ scopes, limits, nodes, warmUp }: PlanSetting): readonly Lane[] {
  const scope = preferredScope(scopes, ['messages', 'standard', 'media']);
  if (scope === null) return [];
  const count = Math.ceil((nodes + 0.5) * limits[scope]);
  return [
    {
      kind: 'waves',
      name: 'in_turn',
      scope,
      keys: { first: 0, count: 1 },
      nodes: 'in-turn',
      origin: 'start',
      waves: [{ purpose: 'in-turn', atMs: 0, count }],
      vus: 1,
      warmUp: warmUp === 'keyless' ? count : 0,
    },
  ];
}
