/**
 * Shows that the limit of media uploads holds when uploads of very different length run at once, from a few bytes
 * to 1 MiB each: exactly 30 are admitted, whenever their bodies end (clause `load.media-burst`).
 *
 * Requests: 1.5 × the limit (45, together 4.3 MB) with the key, in one batch of one client, or by as many independent
 * clients as `--vus` says; before it as many small ones without a key, which open the connections (none where the
 * deployment's `probeWithoutKey` is false).
 * Time: about one second with k6's start, two with several clients; at most twice the request time-out and ten seconds.
 */
import { mediaBurstPlan } from './k6/plans/burst.ts';
import { k6Scenario } from './k6/scenario.ts';

const scenario = k6Scenario(mediaBurstPlan);

export const { options, setup, handleSummary } = scenario;
export default scenario.iteration;
