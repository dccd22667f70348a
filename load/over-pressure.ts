/**
 * Shows that a service under three times its limit still admits the limit: never more in any window, never less than
 * the window allows, no 5xx, no broken connection (clause `load.over-pressure`); and how quick a 429 is beside a 200
 * (clause `load.latency`).
 *
 * Requests: 3 × the limit of every scope a window, evenly spaced whatever the answers (open model), on one key: 2,700
 * in two windows. `--windows` makes it longer.
 * Time: two windows.
 */
import { overPressurePlan } from './k6/plans/streams.ts';
import { k6Scenario } from './k6/scenario.ts';

const scenario = k6Scenario(overPressurePlan);

export const { options, setup, handleSummary } = scenario;
export default scenario.iteration;
