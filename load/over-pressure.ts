import { type Scenario, usual } from './plan/scenario.ts';
import { everyScope } from './plan/usual-lanes.ts';

/** The pressure, as a multiple of the limit. */
const pressureFactor = 3;

/**
 * Shows that a service under three times its limit still admits exactly the limit: never more in any window, never
 * fewer than the window allows, no 5xx, no broken connection (clause `load.over-pressure`). It also measures how quick
 * a 429 is compared with a 200 (clause `load.latency`).
 *
 * Requests: 3 × the limit of every scope a window, evenly spaced, whether or not answers come (open model), on one key:
 * 2,700 in two windows. `--windows` makes it longer. Time: two windows.
 */
export const overPressure = {
  ...usual,
  name: 'over-pressure',
  clause: 'load.over-pressure',
  shows: 'the limit and no more, no 5xx, at 3 × the limit of every scope',
  takes: ['windows'],
  planner: everyScope('pressure', (limit) => pressureFactor * limit),
} as const satisfies Scenario;
