import { type Scenario, usual } from './plan/scenario.ts';
import { burstLane } from './plan/usual-lanes.ts';

/**
 * Shows that the limit of `/v1/messages` holds when everything arrives at once: no check-then-add race lets a 301st
 * request through, and none of the first 300 is refused (clause `load.messages-burst`).
 *
 * Requests: 1.5 × the limit (450) with the key, in one batch of one client, or from `--vus` independent clients. Before
 * it, as many requests without a key open the connections (none where the deployment's `probeWithoutKey` is false).
 * Time: about one second with k6's start, two with several clients; at most twice the request time-out and ten seconds.
 */
export const messagesBurst = {
  ...usual,
  name: 'messages-burst',
  clause: 'load.messages-burst',
  shows: 'exact admission when 1.5 × the limit arrives at once at /v1/messages',
  takes: ['vus'],
  planner: (setting) => [burstLane('messages', setting)],
} as const satisfies Scenario;
