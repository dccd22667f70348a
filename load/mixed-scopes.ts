/**
 * Shows that each scope keeps a limit of its own when all are full at once on one key: 120, 300 and 30 admitted (clause
 * `load.mixed-scopes`).
 *
 * Requests: one to each scope, and a window later 1.2 × the limit to each at once (540), when every refusal can be
 * judged.
 * Time: a window and two seconds.
 */
import { mixedScopesPlan } from './k6/plans/mixed-scopes.ts';
import { k6Scenario } from './k6/scenario.ts';

const scenario = k6Scenario(mixedScopesPlan);

export const { options, setup } = scenario;
export default scenario.iteration;
