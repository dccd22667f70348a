import type { Deployment } from '../../contract/deployment.ts';
import { bodyCharactersMax, headerCharactersMax } from '../../contract/exchange.ts';
import { numberRanges, type Parameters } from '../k6/parameters.ts';
import type { Scenario, ScenarioCost } from './scenarios.ts';
import { isHeaderSafe } from './secret.ts';

export type ParameterInput = {
  readonly scenario: Scenario;
  readonly cost: ScenarioCost;
  readonly deployment: Deployment;
  /** Position of the base URL under load in the deployment's settings. */
  readonly node: number;
  readonly key: { readonly alias: string; readonly secret: string };
  readonly runId: string;
  readonly userAgent: string;
};

export type Settled =
  | { readonly kind: 'usable'; readonly parameters: Parameters }
  | { readonly kind: 'unusable'; readonly reason: string };

/** An environment variable of Linux holds at most 128 KiB. */
const parametersCharactersMax = 30_000;

/** The scenario's parameters from settings, checked before k6 is started. */
export function settleParameters({
  scenario,
  cost,
  deployment,
  node,
  key,
  runId,
  userAgent,
}: ParameterInput): Settled {
  const request = deployment.requests[scenario.scope];
  const baseUrl = deployment.baseUrls[node];
  if (request === undefined) {
    return unusable(`the settings have no request for ${scenario.scope}: set requests.${scenario.scope}`);
  }
  if (baseUrl === undefined) return unusable(`the settings have no base URL number ${node + 1}`);
  if (!isHeaderSafe(key.secret)) {
    return unusable(
      `key ${key.alias} cannot stand in a header: it is empty or holds more than visible ASCII`,
    );
  }
  const parameters: Parameters = {
    ...{ scenario: scenario.name, scope: scenario.scope, runId, userAgent, baseUrl, node, request },
    clock: `k6-${scenario.name}`,
    keyAlias: key.alias,
    burst: cost.burst,
    warmUp: cost.warmUp,
    timeoutMs: Math.round(deployment.requestTimeoutSeconds * 1_000),
    bodyCharactersMax,
    headerCharactersMax,
  };
  if (JSON.stringify(parameters).length > parametersCharactersMax) {
    const fix = `keep it below ${parametersCharactersMax / 1_000} thousand characters`;
    return unusable(`requests.${scenario.scope} is too long to be handed to k6: ${fix}`);
  }
  for (const name of ['burst', 'warmUp'] as const) {
    const [min, max] = numberRanges[name];
    const value = parameters[name];
    if (!Number.isInteger(value) || value < min || value > max) {
      return unusable(`${name} of ${scenario.name} is ${value}: it must be an integer from ${min} to ${max}`);
    }
  }
  return { kind: 'usable', parameters };
}

function unusable(reason: string): Settled {
  return { kind: 'unusable', reason };
}
