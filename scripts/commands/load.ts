import { resolve } from 'node:path';
import { Command } from 'commander';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { sendsKeys } from '../../contract/deployment.ts';
import { type Document, limitsOf } from '../../contract/document/document.ts';
import { whyNoLoad } from '../../contract/document/load-scopes.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { keyVariable } from '../../load/k6/parameters.ts';
import type { PlannedScenario } from '../../load/plan/planned.ts';
import type { Scenario } from '../../load/plan/scenario.ts';
import { planScenario, type ScenarioChoices } from '../../load/runner/plan-scenario.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { whyImpossible } from '../../load/runner/settle-parameters.ts';
import { wayElsewhere } from '../../run/elsewhere/way-elsewhere.ts';
import { writeBundles } from '../../run/elsewhere/write-bundles.ts';
import { documentAlone } from '../../run/judge/judging.ts';
import { type LoadWish, noLoad } from '../../run/plan/load-plan.ts';
import { withNodes } from '../../run/plan/run-plan.ts';
import { shownPath } from '../../run/shown-path.ts';
import { checkHosts } from '../../run/target/allowed-hosts.ts';
import { readKeysFile } from '../../run/target/keys.ts';
import { type Settings, settleSettings } from '../../run/target/settle-settings.ts';
import {
  addScenarioOptions,
  choicesOf,
  extrasOf,
  namedScenarios,
  type ScenarioFlags,
} from '../options/load-options.ts';
import { addPartialOption, type PartialFlags, partialRunsOf } from '../options/partial-option.ts';
import { addRunOptions, type RunFlags } from '../options/run-options.ts';
import type { CommandIo } from './command-io.ts';
import { conduct } from './conduct.ts';

type Flags = RunFlags & ScenarioFlags & PartialFlags;

/** `conformance load`: load scenarios only. */
export function loadCommand(io: CommandIo): Command {
  const command = new Command('load')
    .description('run load scenarios with k6, without the probes')
    .argument('[scenarios...]', 'names of scenarios, or all; without a name they are listed');
  const options = addPartialOption(addScenarioOptions(addRunOptions(command)));
  return options.action(async (names: readonly string[], flags: Flags) => {
    if (names.length === 0) {
      const lines = scenarioList(await settleSettings(flags, io.cwd), flags);
      io.stdout.write(`${lines.join('\n')}\n`);
      io.exit(0);
      return;
    }
    const chosen: readonly Scenario[] = names.includes('all') ? scenarios : namedScenarios(names);
    const load: LoadWish = {
      scenarios: chosen,
      chosen: names.includes('all') ? 'all' : 'named',
      choices: await withKeysOfFile(choicesOf(flags, chosen), flags, io.cwd),
      extras: extrasOf(flags),
      keysFile: flags.keysFile ?? null,
    };
    const judging = { ...documentAlone, partialRuns: partialRunsOf(flags) };
    if (flags.bundle === undefined) await conduct(io, { flags, mode: 'load', load, judging });
    else await writeScripts(io, { flags, load, folder: resolve(io.cwd, flags.bundle) });
  });
}

/** The load scenarios under given settings: what each sends, how long it takes, and what it shows. */
function scenarioList(given: Settings, flags: ScenarioFlags): readonly string[] {
  const { deployment } = withNodes({ settings: given, load: { ...noLoad, scenarios } });
  const choices = choicesOf(flags, scenarios);
  const own = scenarios.filter(({ clause }) => clauseIn(deployment.document, clause) !== undefined);
  const planned = own.map((scenario) =>
    planScenario(scenario, { deployment, limits: limitsOf(deployment.document), choices }),
  );
  if (own.length === 0) return noneOf(deployment.document);
  const nameWidth = Math.max(...scenarios.map(({ name }) => name.length));
  const lines = planned.flatMap((one) => [
    `${one.scenario.name.padEnd(nameWidth)}  ${costText(one, whyImpossible(one, deployment))}`,
    `${' '.repeat(nameWidth)}  ${one.scenario.shows}`,
  ]);
  return [
    ...lines,
    '',
    '"conformance load NAME…" runs some of them, "load all" runs all; --help lists the options.',
  ];
}

/** Why no scenario shows anything of a document, each reason once. */
function noneOf(document: Document): readonly string[] {
  const reasons = Map.groupBy(
    scenarios,
    ({ clause }) => whyNoLoad(document, clause) ?? 'it is not about limits',
  );
  return [
    `No scenario shows anything of "${document.title}":`,
    ...[...reasons].map(([why, all]) => `  ${all.map(({ name }) => name).join(', ')}: ${why}`),
    '',
    'A run without k6 ("conformance run") judges its limits all the same.',
  ];
}

function costText({ requests, seconds, scenario }: PlannedScenario, impossible: string | null): string {
  const cost =
    impossible === null ? `${requests} requests in at most ${seconds} s` : `not possible: ${impossible}`;
  return scenario.takes.length === 0
    ? cost
    : `${cost} (${scenario.takes.map((name) => `--${name}`).join(', ')})`;
}

/**
 * With a file of keys, the number of keys is that of the file, unless --keys gives a smaller one.
 * @throws {UsageError} where the file cannot be used, or the run is for the embedded service.
 */
async function withKeysOfFile(choices: ScenarioChoices, flags: Flags, cwd: string): Promise<ScenarioChoices> {
  const { keysFile } = flags;
  if (keysFile === undefined) return choices;
  const { kind } = await settleSettings(flags, cwd);
  if (kind === 'embedded') {
    throw new UsageError(
      '--keys-file is for a deployment, but the embedded service has its own keys: leave it out, or give the address of the deployment with --url.',
    );
  }
  if (choices.keys !== undefined) return choices;
  const keys = await readKeysFile(resolve(cwd, keysFile), 1);
  return { ...choices, keys: keys.length };
}

/** @throws {UsageError} where a flag is for a k6 that this program starts. */
function checkBundle({ k6Out, dashboard }: Flags): void {
  if (k6Out !== undefined) {
    throw new UsageError(
      '--bundle sends nothing: leave --k6-out out, and use "k6 run --out …" where the scripts run.',
    );
  }
  if (dashboard === true) {
    throw new UsageError(
      '--bundle sends nothing: leave --dashboard out, and set K6_WEB_DASHBOARD=true where the scripts run.',
    );
  }
}

type Writing = { readonly flags: Flags; readonly load: LoadWish; readonly folder: string };

async function writeScripts(io: CommandIo, { flags, load, folder }: Writing): Promise<void> {
  checkBundle(flags);
  const { kind, deployment, secretHeaders } = await settleSettings(flags, io.cwd);
  if (kind === 'embedded') {
    throw new UsageError('Name the service that the scripts are to reach: --url http://127.0.0.1:8080.');
  }
  checkHosts(
    deployment.baseUrls,
    flags.allowHost ?? [],
    'hundreds of requests at once',
    deployment.transport?.resolve,
  );
  for (const { path, planned } of await writeBundles({ folder, deployment, secretHeaders, load })) {
    const { requests, seconds, setting } = planned;
    const keys = setting.keys === 1 ? 'the API key' : `${setting.keys} API keys, separated by spaces`;
    const held = sendsKeys(deployment) ? `${keyVariable} holds ${keys}` : 'no key is sent';
    const headers = secretHeaders.map(({ name, variable }) => `, ${variable} the header ${name}`).join('');
    io.stdout.write(
      `${shownPath(path, io.cwd)}: ${requests} requests in at most ${seconds} s; ${held}${headers}\n`,
    );
  }
  io.stdout.write(
    'Run one with   k6 run --console-output trace.ndjson --log-format raw --log-output stderr SCRIPT\n' +
      'and then       conformance judge trace.ndjson\n',
  );
  for (const line of wayElsewhere(deployment)) io.stdout.write(`${line}\n`);
  io.exit(0);
}
