import { Command } from 'commander';
import { type Scenario, scenarios } from '../../load/runner/scenarios.ts';
import { didYouMean } from '../nearest.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { conduct } from './conduct.ts';
import { addRunOptions, type RunFlags } from './run-options.ts';

/** `conformance load`: load scenarios alone. */
export function loadCommand(io: CommandIo): Command {
  const listed = scenarios.map(({ name, shows }) => `  ${name.padEnd(16)}  ${shows}`).join('\n');
  const command = new Command('load')
    .description('k6’s load scenarios alone')
    .argument('[scenarios...]', 'names of scenarios; all where none is given')
    .addHelpText('after', `\nScenarios:\n${listed}`);
  return addRunOptions(command).action(async (names: readonly string[], flags: RunFlags) => {
    await conduct(io, { flags, mode: 'load', scenarios: names.length === 0 ? scenarios : named(names) });
  });
}

function named(names: readonly string[]): readonly Scenario[] {
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
