import { Command } from 'commander';
import { scenarios } from '../../load/runner/scenarios.ts';
import type { CommandIo } from './command-io.ts';
import { conduct } from './conduct.ts';
import { namedScenarios } from './named-scenarios.ts';
import { addRunOptions, type RunFlags } from './run-options.ts';

/** `conformance load`: load scenarios alone. */
export function loadCommand(io: CommandIo): Command {
  const listed = scenarios.map(({ name, shows }) => `  ${name.padEnd(16)}  ${shows}`).join('\n');
  const command = new Command('load')
    .description('k6’s load scenarios alone')
    .argument('[scenarios...]', 'names of scenarios; all where none is given')
    .addHelpText('after', `\nScenarios:\n${listed}`);
  return addRunOptions(command).action(async (names: readonly string[], flags: RunFlags) => {
    await conduct(io, {
      flags,
      mode: 'load',
      scenarios: names.length === 0 ? scenarios : namedScenarios(names),
    });
  });
}
