import type { Scope } from '../../contract/scopes.ts';
import type { Planner } from './lane.ts';

/** An evenly spaced stream to every scope at once, all on one key, as long as the pressure is to last. */
export function everyScope(purpose: string, requestsPerWindow: (limit: number) => number): Planner {
  return ({ scopes, limits, windows, windowMs }) =>
    scopes.map((scope: Scope) => ({
      kind: 'stream',
      name: `${purpose}_${scope}`,
      scope,
      keys: { first: 0, count: 1 },
      nodes: 'in-turn',
      purpose,
      startMs: 0,
      durationMs: windows * windowMs,
      count: windows * requestsPerWindow(limits[scope]),
    }));
}
