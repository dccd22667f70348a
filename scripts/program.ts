import { Command } from 'commander';
import { tool } from '../run/version.ts';
import type { CommandIo } from './commands/command-io.ts';

const defaultName = 'run';

type Load = () => Promise<(io: CommandIo) => Command>;

/** By name, in the order of the help. All of them together are a second of loading, so a command is loaded with those alone that it needs. */
const commands: ReadonlyMap<string, Load> = new Map<string, Load>([
  [defaultName, async () => (await import('./commands/run.ts')).runCommand],
  ['init', async () => (await import('./commands/init.ts')).initCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['checks', async () => (await import('./commands/checks.ts')).checksCommand],
  ['load', async () => (await import('./commands/load.ts')).loadCommand],
  ['judge', async () => (await import('./commands/judge.ts')).judgeCommand],
  ['report', async () => (await import('./commands/report.ts')).reportCommand],
  ['plan', async () => (await import('./commands/plan.ts')).planCommand],
  ['clauses', async () => (await import('./commands/clauses.ts')).clausesCommand],
  ['serve', async () => (await import('./commands/serve.ts')).serveCommand],
  ['identify', async () => (await import('./commands/identify.ts')).identifyCommand],
  ['tune', async () => (await import('./commands/tune.ts')).tuneCommand],
  ['clients', async () => (await import('./commands/clients.ts')).clientsCommand],
  ['history', async () => (await import('./commands/history.ts')).historyCommand],
  ['baseline', async () => (await import('./commands/baseline.ts')).baselineCommand],
  ['kubernetes', async () => (await import('./commands/kubernetes.ts')).kubernetesCommand],
  ['collect', async () => (await import('./commands/collect.ts')).collectCommand],
  ['webhooks', async () => (await import('./commands/webhooks/webhooks.ts')).webhooksCommand],
]);

const help = `
Without settings, the embedded reference service is started, validated and
stopped. Flags win over the environment, the environment over the settings
file, and the settings file over the defaults.

Exit status: 0 conformant, 1 a "must" clause is violated,
             2 unusable input (nothing was sent), 3 inconclusive or incomplete,
             4 an error of this program, 130 interrupted`;

/** The command line, as far as these words need it: with the command that they name, or with all where they name none. */
export async function programOf(io: CommandIo, words: readonly string[]): Promise<Command> {
  const program = new Command('conformance')
    .description('Proves whether a deployed messaging API keeps the rate-limit promises of its document.')
    .version(tool.version)
    .option('--debug', 'show the stack of an error in this program (DEBUG does the same)')
    .configureHelp({ subcommandTerm: termOf, minWidthToWrap: 30 })
    .addHelpText('after', help);
  for (const [name, load] of neededFor(words)) {
    const command = await load();
    program.addCommand(command(io), { isDefault: name === defaultName });
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

/** Flags alone are for the default command, but for those that show every command. */
function neededFor(words: readonly string[]): Iterable<readonly [string, Load]> {
  const word = words.find((one) => one !== '--debug') ?? '--';
  const showsAll = words.some((one) => one === '--help' || one === '-h');
  const name = word.startsWith('-') && !showsAll ? defaultName : word;
  const load = commands.get(name);
  return load === undefined ? commands : [[name, load]];
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
