/**
 * Shows that the nodes of a service share one window: of one burst whose requests go to each base URL in turn the limit
 * is admitted, not the limit of each node (clause `load.nodes`).
 *
 * Requests: half the limit more than as many limits as there are nodes (1,050 with three) with the key, in one batch of
 * one client; before it as many without a key, which open the connections (none where the deployment's
 * `probeWithoutKey` is false).
 * Time: about two seconds with k6's start.
 */
import { nodesPlan } from './k6/plans/nodes.ts';
import { k6Scenario } from './k6/scenario.ts';

const scenario = k6Scenario(nodesPlan);

export const { options, setup, handleSummary } = scenario;
export default scenario.iteration;
