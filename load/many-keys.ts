/**
 * Shows that limits are per key where there are very many (1,000; `--keys`): no key is refused for the requests of
 * others, and three of them still get exactly the limit (clause `load.many-keys`); and how the time of an answer grows
 * with the number of keys in use (clause `load.keys-cost`).
 *
 * Requests: 100 a second with 1, 10, 100 … keys in turn, a window later every key once more, then 1.2 × the limit on each
 * of three keys: 2,704 with 1,000 keys.
 * Time: a window and 16 s with 1,000 keys.
 */
import { manyKeysPlan } from './k6/plans/many-keys.ts';
import { k6Scenario } from './k6/scenario.ts';

const scenario = k6Scenario(manyKeysPlan);

export const { options, setup, handleSummary } = scenario;
export default scenario.iteration;
