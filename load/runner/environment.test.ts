import { expect, test } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits as limits } from '../../contract/scopes.ts';
import { messagesBurst } from '../messages-burst.ts';
import { overPressure } from '../over-pressure.ts';
import { heapGrowthOf } from './environment.ts';
import { planScenario } from './plan-scenario.ts';

test('the heap of k6 may grow for streams, and is held small for hundreds of clients', () => {
  const deployment = deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A'],
    requests: { standard: { path: '/' }, messages: { path: '/' } },
  });
  const growth = (scenario: typeof overPressure | typeof messagesBurst, vus = 1) =>
    Number(heapGrowthOf(planScenario(scenario, { deployment, limits, choices: { vus } }).lanes).GOGC);
  expect(growth(overPressure)).toBeGreaterThan(growth(messagesBurst));
  expect(growth(messagesBurst)).toBeGreaterThan(growth(messagesBurst, 300));
});
