import type { Deviation } from './fault.ts';
import { otherWindowKey } from './other-window.ts';

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
] as const satisfies readonly Deviation[];
