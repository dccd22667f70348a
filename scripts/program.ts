import { Command } from 'commander';
import { tool } from '../run/version.ts';
import { baselineCommand } from './commands/baseline.ts';
import { checksCommand } from './commands/checks.ts';
import { clausesCommand } from './commands/clauses.ts';
import { clientsCommand } from './commands/clients.ts';
import { collectCommand } from './commands/collect.ts';
import type { CommandIo } from './commands/command-io.ts';
import { historyCommand } from './commands/history.ts';
import { identifyCommand } from './commands/identify.ts';
import { judgeCommand } from './commands/judge.ts';
import { kubernetesCommand } from './commands/kubernetes.ts';
import { loadCommand } from './commands/load.ts';
import { planCommand } from './commands/plan.ts';
import { reportCommand } from './commands/report.ts';
import { runCommand } from './commands/run.ts';
import { serveCommand } from './commands/serve.ts';
import { tuneCommand } from './commands/tune.ts';
import { webhooksCommand } from './commands/webhooks/webhooks.ts';

const help = `
Without settings, the embedded reference service is started, validated and
stopped. Flags win over the environment, the environment over the settings
file, and the settings file over the defaults.

Exit status: 0 conformant, 1 a "must" clause is violated,
             2 unusable input (nothing was sent), 3 inconclusive or incomplete,
             4 an error of this program, 130 interrupted`;

/** The whole command line. */
export function programOf(io: CommandIo): Command {
  const program = new Command('conformance')
    .description('Proves whether a deployed messaging API keeps the rate-limit promises of its document.')
    .version(tool.version)
    .option('--debug', 'show the stack of an error in this program (DEBUG does the same)')
    .configureHelp({ subcommandTerm: termOf, minWidthToWrap: 30 })
    .addHelpText('after', help);
  program.addCommand(runCommand(io), { isDefault: true });
  for (const command of [
    checksCommand,
    loadCommand,
    judgeCommand,
    reportCommand,
    planCommand,
    clausesCommand,
    serveCommand,
    identifyCommand,
    tuneCommand,
    clientsCommand,
    historyCommand,
    baselineCommand,
    kubernetesCommand,
    collectCommand,
    webhooksCommand,
  ]) {
    program.addCommand(command(io));
  }
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        writeErr: (text) => io.stderr.write(text),
      })
      .showHelpAfterError(`(${pathOf(command)} --help lists all options)`);
  }
  return program;
}

/** A command and its arguments; every command has options, so that they are not listed. */
function termOf(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(' ');
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** How a command is typed, e.g. `conformance webhooks drive`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
