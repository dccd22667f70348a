/**
 * Shows that a client a few percent below the limits never meets a 429 (clause `load.sustained`).
 *
 * Requests: 96 % of the limit of every scope a window (288, 115, 28), evenly spaced whatever the answers (open model),
 * on one key: 862 in two windows. `--windows 60` makes a soak of an hour.
 * Time: two windows.
 */
import { sustainedPlan } from './k6/plans/streams.ts';
import { k6Scenario } from './k6/scenario.ts';

const scenario = k6Scenario(sustainedPlan);

export const { options, setup, handleSummary } = scenario;
export default scenario.iteration;
