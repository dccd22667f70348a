/**
 * Shows that each scope keeps a limit of its own when all are full at once on one key: 120, 300 and 30 admitted (clause
 * `load.mixed-scopes`).
 *
 * Requests: one to each scope, a window later, when every refusal can be judged, exactly the limit to each at once (450),
 * and a second after that a fifth more (90).
 * Time: a window and three seconds.
 */
import { mixedScopesPlan } from './k6/plans/mixed-scopes.ts';
import { k6Scenario } from './k6/scenario.ts';

const scenario = k6Scenario(mixedScopesPlan);

export const { options, setup, handleSummary } = scenario;
export default scenario.iteration;
