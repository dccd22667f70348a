import { type Scenario, usual } from './plan/scenario.ts';
import { burstLane } from './plan/usual-lanes.ts';

/**
 * Shows that the limit of media uploads holds when uploads of very different length run at once, from a few bytes to as
 * many as the settings say: exactly 30 are admitted, whenever their bodies end (clause `load.media-burst`).
 *
 * Requests: 1.5 × the limit (45, together 4.3 MB where the settings say 1 MiB): two thirds of the limit, which open the connections, and the rest at
 * once over them, in batches of one client or from `--vus` independent clients. Time: about one second with k6's start,
 * after at most two more near a boundary of the minute, three with several clients; at most twice the request time-out and ten seconds.
 */
export const mediaBurst = {
  ...usual,
  name: 'media-burst',
  clause: 'load.media-burst',
  shows:
    'exact admission when 1.5 × the limit of uploads runs at once, of a few bytes to as many as the settings say',
  takes: ['vus'],
  about: ['media'],
  planner: (setting) => setting.scopes.map((scope) => ({ ...burstLane(scope, setting), spreadsFiles: true })),
} as const satisfies Scenario;
