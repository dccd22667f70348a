import { type Deployment, deploymentSchema } from '../../contract/deployment.ts';
import type { Limits } from '../../contract/scopes.ts';
import { keyVariable, parametersVariable } from '../../load/k6/parameters.ts';
import type { Scenario } from '../../load/plan/scenario.ts';
import { k6ScriptText } from '../../load/runner/bundle.ts';
import { heapGrowthOf } from '../../load/runner/environment.ts';
import { planScenario, type ScenarioChoices } from '../../load/runner/plan-scenario.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { settleParameters } from '../../load/runner/settle-parameters.ts';
import type { K6Run } from './run-k6.ts';

export type Target = { readonly url: string; readonly key: string };

/** One scope alone, by the request that the document shows whole. */
export function deploymentOf({ url }: Target, windowSeconds: number): Deployment {
  // Over connections that are kept alive, as those of the bare script: what is compared is the trace.
  const headers = { Connection: 'keep-alive' };
  const request = { method: 'GET', path: '/v1/status', headers } as const;
  return deploymentSchema.parse({
    baseUrls: [url],
    keyEnv: ['KEY'],
    windowSeconds,
    requests: { standard: request, messages: { method: 'GET', path: '/v1/messages', headers } },
  });
}

export type Ours = {
  readonly scenario: string;
  readonly target: Target;
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly choices?: ScenarioChoices;
};

/** A scenario of the load suite as k6 gets it: bundled, with its parameters, writing its trace. */
export async function ourScript({
  scenario: name,
  target,
  deployment,
  limits,
  choices = {},
}: Ours): Promise<Omit<K6Run, 'k6'>> {
  const scenario = scenarioNamed(name);
  const planned = planScenario(scenario, { deployment, limits, choices });
  const keys = [{ alias: 'A', secret: target.key }];
  const settled = settleParameters({
    planned,
    deployment,
    keys,
    runId: 'bench',
    userAgent: 'bench',
    looker: 'runner',
  });
  if (settled.kind === 'unusable') throw new Error(settled.reason);
  const env = {
    ...heapGrowthOf(planned.lanes),
    [parametersVariable]: JSON.stringify(settled.parameters),
    [keyVariable]: target.key,
  };
  return { script: await k6ScriptText(), env };
}

/** `GOGC` of the peer's process: the same as of ours. */
type HeapGrowth = { readonly heapGrowth: string | undefined };

/** The least that a k6 script can be: the same arrivals, the same clients, one GET, and nothing written down. */
export function bareOpenModel(
  { url, key }: Target,
  { heapGrowth = '100', ...rate }: { perSecond: number; seconds: number } & HeapGrowth,
): Omit<K6Run, 'k6'> {
  const script = `
import http from 'k6/http';
export const options = {
  scenarios: { bare: {
    executor: 'constant-arrival-rate', rate: ${rate.perSecond}, timeUnit: '1s', duration: '${rate.seconds}s',
    preAllocatedVUs: 300, maxVUs: 300, gracefulStop: '11s',
  } },
};
const params = { headers: { Authorization: 'Bearer ' + __ENV.KEY } };
export default function () { http.get('${url}/v1/status', params); }
`;
  return { script, env: { KEY: key, GOGC: heapGrowth } };
}

/** As many independent clients, each with as many requests as in our burst. */
export function bareClients(
  { url, key }: Target,
  { clients, heapGrowth = '100' }: { readonly clients: number } & HeapGrowth,
): Omit<K6Run, 'k6'> {
  const script = `
import http from 'k6/http';
import { sleep } from 'k6';
export const options = {
  scenarios: { bare: { executor: 'per-vu-iterations', vus: ${clients}, iterations: 1, maxDuration: '60s' } },
};
const params = { headers: { Authorization: 'Bearer ' + __ENV.KEY } };
export default function () {
  http.get('${url}/v1/messages', params);
  sleep(1);
  http.get('${url}/v1/messages', params);
}
`;
  return { script, env: { KEY: key, GOGC: heapGrowth } };
}

function scenarioNamed(name: string): Scenario {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return scenario;
}
