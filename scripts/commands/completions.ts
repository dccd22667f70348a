import { Argument, Command } from 'commander';
import { completionScript, type Shell, shells } from '../texts/completions.ts';
import type { CommandIo } from './command-io.ts';

/** `conformance completions`: what a shell reads to complete this command line. */
export function completionsCommand(io: CommandIo): Command {
  return new Command('completions')
    .description('write a script that completes commands and options in bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'for which shell').choices(shells))
    .addHelpText(
      'after',
      `
For the shell that runs, with the package installed (npm install --global):
  bash  source <(conformance completions bash)
  zsh   source <(conformance completions zsh)
  fish  conformance completions fish | source`,
    )
    .action((shell: Shell, _flags: unknown, command: Command) => {
      if (command.parent === null) throw new Error('the command belongs to no program');
      io.stdout.write(completionScript(shell, command.parent));
      io.exit(0);
    });
}
