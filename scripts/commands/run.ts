import { Command } from 'commander';
import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { addKeepingOptions, type KeepingFlags } from '../options/keeping-options.ts';
import {
  addLoadOptions,
  addRunOptions,
  chosenLoad,
  type LoadFlags,
  type RunFlags,
} from '../options/run-options.ts';
import type { CommandIo } from './command-io.ts';
import { conductAndKeep } from './conduct-and-keep.ts';

/** `conformance run`: the whole run, with a verdict. */
export function runCommand(io: CommandIo): Command {
  const command = new Command('run').description(
    'probe a deployment, load it, and give a verdict (what is done without a command)',
  );
  // Being the default, it is handed every misspelt command too.
  command.argument('[word]').usage('[options]');
  return addKeepingOptions(addLoadOptions(addRunOptions(command))).action(
    async (word: string | undefined, flags: RunFlags & LoadFlags & KeepingFlags) => {
      if (word !== undefined) throw unknownCommand(word, command);
      const mode = flags.light === true ? 'light' : 'full';
      await conductAndKeep(io, { flags, mode, load: chosenLoad(flags) });
    },
  );
}

function unknownCommand(word: string, { parent }: Command): UsageError {
  const names = (parent?.commands ?? []).map((command) => command.name());
  return new UsageError(
    `There is no command "${word}"${didYouMean(word, names)} Commands: ${names.join(', ')}.`,
  );
}
