import { Command } from 'commander';
import { type Scenario, scenarios } from '../../load/runner/scenarios.ts';
import { settleSettings } from '../settings/settle-settings.ts';
import type { CommandIo } from './command-io.ts';
import { conduct } from './conduct.ts';
import { scenarioList } from './load-list.ts';
import { addScenarioOptions, choicesOf, extrasOf, type ScenarioFlags } from './load-options.ts';
import { namedScenarios } from './named-scenarios.ts';
import { addRunOptions, type RunFlags } from './run-options.ts';

type Flags = RunFlags & ScenarioFlags;

/** `conformance load`: load scenarios alone. */
export function loadCommand(io: CommandIo): Command {
  const command = new Command('load')
    .description('k6’s load scenarios alone')
    .argument('[scenarios...]', 'names of scenarios, or all; without one they are listed');
  return addScenarioOptions(addRunOptions(command)).action(async (names: readonly string[], flags: Flags) => {
    if (names.length === 0) {
      const lines = scenarioList(await settleSettings(flags, io.cwd), flags);
      io.stdout.write(`${lines.join('\n')}\n`);
      io.exit(0);
      return;
    }
    const chosen: readonly Scenario[] = names.includes('all') ? scenarios : namedScenarios(names);
    await conduct(io, {
      flags,
      mode: 'load',
      load: {
        scenarios: chosen,
        chosen: names.includes('all') ? 'all' : 'named',
        choices: choicesOf(flags, chosen),
        extras: extrasOf(flags),
        keysFile: flags.keysFile ?? null,
      },
    });
  });
}
