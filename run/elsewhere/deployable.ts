import type { Deployment } from '../../contract/deployment.ts';
import { limitsOf } from '../../contract/document/document.ts';
import { type TraceHeader, traceHeader } from '../../contract/trace-header.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { Deployable } from '../../load/kubernetes/manifest.ts';
import { clockOf, runnersOf, runnerVariable } from '../../load/kubernetes/names.ts';
import { type PlannedScenario, scopesOf } from '../../load/plan/planned.ts';
import type { Scenario } from '../../load/plan/scenario.ts';
import { k6ScriptText } from '../../load/runner/bundle.ts';
import { planScenario, type ScenarioChoices } from '../../load/runner/plan-scenario.ts';
import { settleParameters, unknownKeys } from '../../load/runner/settle-parameters.ts';
import { type SecretHeader, variablesOf } from '../target/secret-headers.ts';
import { tool } from '../version.ts';

export type DeployableInput = {
  readonly scenarios: readonly Scenario[];
  readonly choices: ScenarioChoices;
  readonly deployment: Deployment;
  /** Their variables are fields of the Secret. */
  readonly secretHeaders: readonly SecretHeader[];
  readonly parallelism: number;
  /** How far the clocks of two pods may be apart, ms. */
  readonly clockOffsetMs: number;
  /** Begins every name. */
  readonly prefix: string;
  readonly nowMs: number;
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
  const header = headerOf(input, runId, { runners, planned: planned.map((one) => one.planned) });
  const script = await k6ScriptText();
  return planned.map(({ scenario, name, parameters, planned: one }) => ({
    name,
    secretVariables: input.secretHeaders.map(({ variable }) => variable),
    scenario: scenario.name,
    script,
    parameters: { ...parameters, clock: clockOf(`$(${runnerVariable})`) },
    header,
    load: {
      kind: 'load',
      scenario: scenario.name,
      state: 'complete',
      reason: null,
      key: parameters.keyAliases[0] ?? null,
      scope: scopesOf(one)[0] ?? 'messages',
      requestsSent: one.requests,
    },
  }));
}

function plan(
  scenario: Scenario,
  { deployment, secretHeaders, parallelism, choices }: DeployableInput,
  runId: string,
) {
  const planned = planScenario(scenario, {
    deployment,
    limits: limitsOf(deployment.document),
    choices: { ...choices, segments: parallelism },
  });
  const userAgent = `${tool.name}/${tool.version} run/${runId}`;
  const keys = unknownKeys(planned);
  const settled = settleParameters({
    planned,
    deployment,
    keys,
    runId,
    userAgent,
    headerVariables: variablesOf(secretHeaders),
    looker: 'k6',
  });
  if (settled.kind === 'unusable') throw new UsageError(`${scenario.name}: ${settled.reason}.`);
  return { planned, parameters: settled.parameters };
}

type All = { readonly runners: readonly string[]; readonly planned: readonly PlannedScenario[] };

function headerOf(
  { deployment, clockOffsetMs, nowMs }: DeployableInput,
  runId: string,
  { runners, planned }: All,
): TraceHeader {
  return traceHeader({
    tool,
    runId,
    startedAtMs: nowMs,
    mode: 'load',
    limits: limitsOf(deployment.document),
    deployment,
    keys: [...new Set(planned.flatMap((one) => unknownKeys(one).map(({ alias }) => alias)))],
    clocks: runners.map((runner, at) => ({
      id: clockOf(runner),
      kind: 'wall',
      // Stated to the first clock: so no two are further apart than twice as much, and each is widened by that much.
      offsetMsMax: at === 0 ? 0 : clockOffsetMs,
      tiedBy: clockOf(runner),
    })),
    // They run one after another.
    plan: {
      requestsMax: planned.reduce((sum, { requests }) => sum + requests, 0),
      peakRequestsPerSecond: Math.max(...planned.map((one) => one.peakRequestsPerSecond)),
      seconds: planned.reduce((sum, { seconds }) => sum + seconds, 0),
    },
  });
}

/** E.g. 20261121t143000: what Kubernetes allows in a name. */
function stampOf(nowMs: number): string {
  return new Date(nowMs)
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:]/g, '')
    .toLowerCase();
}
