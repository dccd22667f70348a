import { type Scenario, usual } from './plan/scenario.ts';
import { everyScope } from './plan/usual-lanes.ts';

/**
 * Shows that a client a few percent below the limits never meets a 429 (clause `load.sustained`).
 *
 * Requests: 96 % of the limit of every scope a window (288, 115, 28), evenly spaced, whether or not answers come (open
 * model), on one key: 862 in two windows. `--windows 60` makes a soak of an hour. Time: two windows.
 */
export const sustained = {
  ...usual,
  name: 'sustained',
  clause: 'load.sustained',
  shows: 'not one 429 a few percent below the limits',
  takes: ['windows'],
  planner: everyScope('sustained', justBelow),
} as const satisfies Scenario;

/**
 * A few percent below the limit, and at least two requests below it: 288 of 300, 115 of 120, 28 of 30. Of limits of 2 and 3 it is one
 * request, and of a limit of 1 none.
 */
const share = 0.96;
const room = 2;

function justBelow(limit: number): number {
  return Math.max(Math.min(1, limit - 1), Math.min(Math.floor(share * limit), limit - room));
}
