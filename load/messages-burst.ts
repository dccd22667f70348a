import { type Scenario, usual } from './plan/scenario.ts';
import { burstLane } from './plan/usual-lanes.ts';

/**
 * Shows that the limit of `/v1/messages` holds when everything arrives at once: no check-then-add race lets a 301st
 * request through, and none of the first 300 is refused (clause `load.messages-burst`).
 *
 * Requests: 1.5 × the limit (450): two thirds of the limit, which open the connections, and the rest at once over them,
 * in batches of one client or from `--vus` independent clients. Time: about one second with k6's start,
 * after at most two more near a boundary of the minute, three with several clients; at most twice the request time-out and ten seconds.
 */
export const messagesBurst = {
  ...usual,
  name: 'messages-burst',
  clause: 'load.messages-burst',
  shows: 'exact admission when 1.5 × the limit arrives at once at /v1/messages',
  takes: ['vus'],
  about: ['messages'],
  planner: (setting) => setting.scopes.map((scope) => burstLane(scope, setting)),
} as const satisfies Scenario;
