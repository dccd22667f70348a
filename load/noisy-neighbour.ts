/**
 * Shows that a key that floods `/v1/messages` at five times its limit costs another key nothing: half its limit is
 * admitted without a 429 (clause `load.noisy-neighbour`), and its latency is told without and with the flood (clause
 * `load.neighbour-latency`).
 *
 * Requests: the neighbour's half of a limit a window, alone for half a window, then beside the flood for a window and
 * two seconds: 75, 155 and 1,550.
 * Time: 1.5 windows and two seconds.
 */
import { noisyNeighbourPlan } from './k6/plans/noisy-neighbour.ts';
import { k6Scenario } from './k6/scenario.ts';

const scenario = k6Scenario(noisyNeighbourPlan);

export const { options, setup, handleSummary } = scenario;
export default scenario.iteration;
