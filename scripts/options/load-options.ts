import type { Command } from 'commander';
import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type Scenario, settingRanges } from '../../load/plan/scenario.ts';
import type { K6Extras } from '../../load/runner/k6-command.ts';
import { keysDefault, type ScenarioChoices, windowsDefault } from '../../load/runner/plan-scenario.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { repeated, wholeNumber } from './values.ts';

/** Flags that change what scenarios send, and what else k6 does. */
export type ScenarioFlags = {
  readonly windows?: number;
  readonly vus?: number;
  readonly keys?: number;
  readonly keysFile?: string;
  readonly segments?: number;
  readonly dashboard?: true;
  readonly k6Out?: readonly string[];
  readonly bundle?: string;
};

export function addScenarioOptions(command: Command): Command {
  return addChoiceOptions(command)
    .option(
      '--keys-file <file>',
      'API keys for many-keys, one in each line; the embedded service has its own',
    )
    .option('--segments <n>', 'number of k6 processes that share each scenario', countIn('processes'))
    .option('--dashboard', 'serve k6’s own dashboard on a free port of this machine during the run')
    .option('--bundle <folder>', 'write the scenarios as scripts for k6 on other machines, and send nothing')
    .option(
      '--k6-out <output...>',
      'output for k6’s metrics, as in k6’s own --out, e.g. opentelemetry',
      repeated,
    );
}

/** Flags that change what scenarios send, here or on other machines. */
export function addChoiceOptions(command: Command): Command {
  return command
    .option(
      '--windows <n>',
      `how many windows over-pressure and sustained last (default: ${windowsDefault})`,
      countIn('windows'),
    )
    .option(
      '--vus <n>',
      'send the bursts from this number of independent clients instead of one batch',
      countIn('vus'),
    )
    .option('--keys <n>', `how many keys many-keys uses (default: ${keysDefault})`, countIn('keys'));
}

/**
 * The choices that the flags make.
 * @throws {UsageError} where a flag has no effect on the scenarios that will run.
 */
export function choicesOf(flags: ScenarioFlags, chosen: readonly Scenario[]): ScenarioChoices {
  const { windows, vus, keys, segments } = flags;
  for (const name of ['windows', 'vus', 'keys'] as const) {
    if (flags[name] === undefined || chosen.some(({ takes }) => takes.includes(name))) continue;
    throw new UsageError(
      `--${name} changes nothing of ${chosen.map((one) => one.name).join(', ')}: leave it out.`,
    );
  }
  if (flags.keysFile !== undefined && !chosen.some((one) => one.keys === 'many')) {
    throw new UsageError(
      `--keys-file changes nothing of ${chosen.map((one) => one.name).join(', ')}: leave it out.`,
    );
  }
  return { windows, vus, keys, segments };
}

export function extrasOf({ k6Out = [], dashboard }: ScenarioFlags): K6Extras {
  return { outs: k6Out, dashboard: dashboard === true ? 'shown' : 'off' };
}

function countIn(name: keyof typeof settingRanges): (value: string) => number {
  const [min, max] = settingRanges[name];
  return wholeNumber({ min, max });
}

/**
 * Scenarios by their names, each once.
 * @throws {UsageError} where there is no scenario of a name.
 */
export function namedScenarios(names: readonly string[]): readonly Scenario[] {
  const known: readonly Scenario[] = scenarios;
  return [...new Set(names)].map((name) => {
    const scenario = known.find((one) => one.name === name);
    if (scenario !== undefined) return scenario;
    const all = known.map((one) => one.name);
    throw new UsageError(
      `There is no load scenario "${name}"${didYouMean(name, all)} All: ${all.join(', ')}.`,
    );
  });
}
