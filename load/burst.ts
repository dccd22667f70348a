import { type Scenario, usual } from './plan/scenario.ts';
import { burstLanes } from './plan/usual-lanes.ts';

/**
 * Shows that each limit of a document holds when everything arrives at once (clause `load.burst`), where no scope has a burst
 * that bears its name.
 *
 * Requests: 1.5 × what each scope lets pass at once: two thirds of that, which open the connections, and the rest at once
 * over them, in batches of one client or from `--vus` independent clients; a scope a second and a half after the one before.
 */
export const burst = {
  ...usual,
  name: 'burst',
  clause: 'load.burst',
  shows: 'exact admission when 1.5 × what each limit lets pass arrives at once',
  takes: ['vus'],
  planner: ({ scopes, vus }) => burstLanes(scopes, { vus }),
} as const satisfies Scenario;
