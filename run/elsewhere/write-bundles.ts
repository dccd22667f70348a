import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Deployment, keyAliasesOf } from '../../contract/deployment.ts';
import { limitsOf } from '../../contract/document/document.ts';
import { whyNoLoad } from '../../contract/document/load-scopes.ts';
import { type TraceHeader, traceHeader } from '../../contract/trace-header.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { Parameters } from '../../load/k6/parameters.ts';
import { type PlannedScenario, scopesOf } from '../../load/plan/planned.ts';
import { k6ScriptText } from '../../load/runner/bundle.ts';
import { planScenario } from '../../load/runner/plan-scenario.ts';
import { settleParameters, unknownKeys } from '../../load/runner/settle-parameters.ts';
import type { LoadWish } from '../plan/load-plan.ts';
import { makeFolder } from '../record/run-directory.ts';
import { type SecretHeader, variablesOf } from '../target/secret-headers.ts';
import { tool } from '../version.ts';

export type BundleWish = {
  readonly folder: string;
  readonly deployment: Deployment;
  readonly secretHeaders: readonly SecretHeader[];
  readonly load: LoadWish;
};

/** A script that k6 runs anywhere: it holds its parameters, takes keys from the environment, and writes a whole trace. */
export type WrittenBundle = { readonly path: string; readonly planned: PlannedScenario };

/**
 * Writes scenarios as scripts into a folder, which is made.
 * @throws {UsageError} where one is not possible with these settings.
 */
export async function writeBundles({
  folder,
  deployment,
  secretHeaders,
  load,
}: BundleWish): Promise<readonly WrittenBundle[]> {
  const { choices } = load;
  const { document } = deployment;
  const scenarios =
    load.chosen === 'named'
      ? load.scenarios
      : load.scenarios.filter(({ clause }) => whyNoLoad(document, clause) === null);
  const made = scenarios.map((scenario) => {
    const planned = planScenario(scenario, { deployment, limits: limitsOf(document), choices });
    return { planned, parameters: parametersFor(planned, { deployment, secretHeaders }) };
  });
  makeFolder(folder);
  const script = await k6ScriptText();
  const written: WrittenBundle[] = [];
  for (const { planned, parameters } of made) {
    const path = join(folder, `${planned.scenario.name}.js`);
    const text = JSON.stringify(JSON.stringify(parameters));
    await writeFile(path, `globalThis.conformanceLoadParameters = ${text};\n${script}`);
    written.push({ path, planned });
  }
  return written;
}

function parametersFor(
  planned: PlannedScenario,
  { deployment, secretHeaders }: Pick<BundleWish, 'deployment' | 'secretHeaders'>,
): Parameters {
  const keys = unknownKeys(planned);
  const userAgent = `${tool.name}/${tool.version}`;
  const settled = settleParameters({
    planned,
    deployment,
    keys,
    runId: 'bundle',
    userAgent,
    headerVariables: variablesOf(secretHeaders),
    looker: 'k6',
  });
  if (settled.kind === 'unusable')
    throw new UsageError(`The load scenario ${planned.scenario.name} cannot be written: ${settled.reason}.`);
  const { requests } = planned;
  const scope = scopesOf(planned)[0] ?? 'messages';
  return { ...settled.parameters, around: { header: headerOf(planned, deployment), requests, scope } };
}

function headerOf(
  planned: PlannedScenario,
  deployment: Deployment,
): Omit<TraceHeader, 'runId' | 'startedAt' | 'clocks'> {
  // The script knows the rest when it runs.
  const { runId, startedAt, clocks, ...header } = traceHeader({
    tool,
    runId: '',
    startedAtMs: 0,
    mode: 'load',
    limits: limitsOf(deployment.document),
    deployment,
    keys: keyAliasesOf(deployment),
    clocks: [],
    plan: { ...planned, requestsMax: planned.requests },
  });
  return header;
}
