import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deployment } from '../../contract/deployment.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { type TraceHeader, traceSchemaVersion } from '../../contract/trace.ts';
import { keyAliasAt } from '../../load/k6/parameters.ts';
import type { Deployable } from '../../load/kubernetes/manifest.ts';
import { clockOf, runnersOf, runnerVariable } from '../../load/kubernetes/names.ts';
import { bundle } from '../../load/runner/bundle.ts';
import { planScenario, scopesOf } from '../../load/runner/plan-scenario.ts';
import type { Scenario } from '../../load/runner/scenarios.ts';
import { settleParameters } from '../../load/runner/settle-parameters.ts';
import { UsageError } from '../usage-error.ts';
import { tool } from '../version.ts';

export type DeployableInput = {
  readonly scenarios: readonly Scenario[];
  readonly deployment: Deployment;
  readonly parallelism: number;
  /** How far the clocks of two pods may be apart, ms. */
  readonly clockOffsetMs: number;
  /** Begins every name. */
  readonly prefix: string;
  readonly nowMs: number;
  /** Folder for what is made on the way. */
  readonly folder: string;
};

/**
 * Scenarios made ready for a cluster: bundled, planned and named.
 * @throws {UsageError} where a scenario is not possible with these settings.
 */
export async function deployablesOf(input: DeployableInput): Promise<readonly Deployable[]> {
  const runId = `${input.prefix}-${stampOf(input.nowMs)}`;
  const planned = input.scenarios.map((scenario) => ({
    scenario,
    name: `${input.prefix}-${scenario.name}-${stampOf(input.nowMs)}`,
    ...plan(scenario, input, runId),
  }));
  const runners = planned.flatMap(({ name }) => runnersOf(name, input.parallelism));
  const header = headerOf(input, runId, {
    runners,
    requests: planned.reduce((sum, { requests }) => sum + requests, 0),
    seconds: planned.reduce((sum, { seconds }) => sum + seconds, 0),
  });
  return Promise.all(
    planned.map(async ({ scenario, name, parameters, requests, scope }) => ({
      name,
      scenario: scenario.name,
      script: await scriptOf(scenario, input.folder),
      parameters: { ...parameters, clock: clockOf(`$(${runnerVariable})`) },
      header,
      load: {
        kind: 'load' as const,
        scenario: scenario.name,
        state: 'complete' as const,
        reason: null,
        key: parameters.keyAliases[0] ?? null,
        scope,
        requestsSent: requests,
      },
    })),
  );
}

/** Stand for the keys, which only the cluster knows. */
const unknownKeys = ['A', 'B'].map((alias) => ({ alias, secret: 'in-the-secret' }));

function plan(scenario: Scenario, { deployment, parallelism }: DeployableInput, runId: string) {
  const planned = planScenario(scenario, {
    deployment,
    limits: documentedLimits,
    choices: { segments: parallelism },
  });
  const userAgent = `${tool.name}/${tool.version} run/${runId}`;
  const keys = manyKeys(planned.setting.keys);
  const settled = settleParameters({ planned, deployment, keys, runId, userAgent });
  if (settled.kind === 'unusable') throw new UsageError(`${scenario.name}: ${settled.reason}.`);
  const { requests, seconds } = planned;
  return { parameters: settled.parameters, requests, seconds, scope: scopesOf(planned)[0] ?? 'messages' };
}

function manyKeys(wanted: number): typeof unknownKeys {
  if (wanted <= unknownKeys.length) return unknownKeys.slice(0, wanted);
  return Array.from({ length: wanted }, (_, at) => ({ alias: keyAliasAt([], at), secret: 'in-the-secret' }));
}

async function scriptOf(scenario: Scenario, folder: string): Promise<string> {
  const outfile = join(folder, `${scenario.name}.js`);
  const bundled = await bundle({ entry: scenario.entry, outfile });
  if (bundled.kind === 'refused') throw new Error(`${scenario.name}: ${bundled.reason}`);
  return readFile(bundled.path, 'utf8');
}

type Total = {
  readonly runners: readonly string[];
  readonly requests: number;
  readonly seconds: number;
};

function headerOf(
  { deployment, clockOffsetMs, nowMs }: DeployableInput,
  runId: string,
  { runners, requests, seconds }: Total,
): TraceHeader {
  return {
    kind: 'trace',
    schemaVersion: traceSchemaVersion,
    tool,
    runId,
    startedAt: new Date(nowMs).toISOString(),
    mode: 'load',
    windowMs: deployment.windowSeconds * 1_000,
    limits: documentedLimits,
    deployment,
    keys: unknownKeys.slice(0, 1).map(({ alias }) => alias),
    clocks: runners.map((runner, at) => ({
      id: clockOf(runner),
      kind: 'wall',
      // Stated to the first clock: so no two are further apart than twice as much, and each is widened by that much.
      offsetMsMax: at === 0 ? 0 : clockOffsetMs,
    })),
    plan: { requestsMax: requests, peakRequestsPerSecond: requests, seconds },
  };
}

/** E.g. 20261121t143000: what Kubernetes allows in a name. */
function stampOf(nowMs: number): string {
  return new Date(nowMs)
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:]/g, '')
    .toLowerCase();
}
