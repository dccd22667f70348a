import type { Deviation } from './fault.ts';
import { otherWindowKey } from './other-window.ts';
import { remainingByShadow } from './shadow-window.ts';

/** Faults about which requests are counted together, where another document than the messaging API's says so. */
export const routeFaults = [
  {
    name: 'methods-ignored',
    summary: 'requests are counted by their path alone, each as if it were a GET',
    patch: (behaviour) => ({ ...behaviour, scopeOf: (path) => behaviour.scopeOf(path, 'GET') }),
  },
  {
    name: 'window-per-path',
    summary: 'each path has a window of its own',
    patch: otherWindowKey(({ scope, key, path }) => `${scope} ${key} ${path}`),
  },
  {
    name: 'outer-limit-apart',
    summary: 'requests of a scope that lies within another one take no places of that one’s limits',
    patch: (behaviour) => ({ ...behaviour, outerOf: () => null }),
  },
  {
    name: 'outer-limit-alone',
    summary: 'requests of a scope that lies within another one are held to that one’s limits alone',
    patch: (behaviour) => ({
      ...behaviour,
      decide: (request, asked) =>
        behaviour.outerOf(request.scope) === null
          ? behaviour.decide(request, asked)
          : { admitted: true, remaining: asked.rate.limit - 1, resetMs: asked.nowMs, retryAfterMs: 0 },
    }),
  },
  {
    name: 'outer-remaining-alone',
    summary:
      'Remaining of a scope that others lie within counts its own requests alone, though theirs take places of its limit',
    patch: remainingByShadow(({ path, method, scope, cost }, behaviour) =>
      behaviour.scopeOf(path, method) === scope ? cost : null,
    ),
  },
] as const satisfies readonly Deviation[];
