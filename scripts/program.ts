import { Command } from 'commander';
import type { CommandIo } from './commands/command-io.ts';

const defaultName = 'run';

const completionsName = 'completions';

/** What the list of all commands says of one, and how it is loaded with all that it needs. */
type Listed = {
  readonly arguments?: string;
  readonly description: string;
  readonly load: () => Promise<(io: CommandIo) => Command>;
};

/** By name, in the order of the help. Loading all of them takes a second: a list of them needs none. */
const commands: ReadonlyMap<string, Listed> = new Map<string, Listed>([
  [
    defaultName,
    {
      arguments: '[words...]',
      description: 'probe a deployment, load it, and give a verdict (the default command)',
      load: async () => (await import('./commands/run.ts')).runCommand,
    },
  ],
  [
    'init',
    {
      description:
        'write a settings file for a deployment, with comments; asks what no flag says; sends nothing',
      load: async () => (await import('./commands/init.ts')).initCommand,
    },
  ],
  [
    'doctor',
    {
      description: 'see whether a run can give a verdict, and what it costs; sends about ten requests',
      load: async () => (await import('./commands/doctor.ts')).doctorCommand,
    },
  ],
  [
    'checks',
    {
      description: 'run the probes and their judges only, without k6',
      load: async () => (await import('./commands/checks.ts')).checksCommand,
    },
  ],
  [
    'load',
    {
      arguments: '[scenarios...]',
      description: 'run load scenarios with k6, without the probes',
      load: async () => (await import('./commands/load.ts')).loadCommand,
    },
  ],
  [
    'judge',
    {
      arguments: '[traces...]',
      description: 'judge saved traces again, several of them as one; sends nothing',
      load: async () => (await import('./commands/judge.ts')).judgeCommand,
    },
  ],
  [
    'report',
    {
      arguments: '[run]',
      description: 'render a saved run again: page, summary, badge, JUnit; judges and sends nothing',
      load: async () => (await import('./commands/report.ts')).reportCommand,
    },
  ],
  [
    'plan',
    {
      description:
        'show how many requests a run would send, where, and how long it would take; sends nothing',
      load: async () => (await import('./commands/plan.ts')).planCommand,
    },
  ],
  [
    'clauses',
    {
      arguments: '[id]',
      description: 'list the clauses, or explain one',
      load: async () => (await import('./commands/clauses.ts')).clausesCommand,
    },
  ],
  [
    'document',
    {
      description: 'work on a document of your own: what an API promises',
      load: async () => (await import('./commands/document.ts')).documentCommand,
    },
  ],
  [
    'serve',
    {
      description: 'run the reference service only',
      load: async () => (await import('./commands/serve.ts')).serveCommand,
    },
  ],
  [
    'identify',
    {
      description: 'name the rate limiter of any HTTP endpoint that answers 429',
      load: async () => (await import('./commands/identify.ts')).identifyCommand,
    },
  ],
  [
    'tune',
    {
      description: 'find the best backoff for a client of a rate limit, by simulation',
      load: async () => (await import('./commands/tune.ts')).tuneCommand,
    },
  ],
  [
    'clients',
    {
      description: 'serve the API to your client, and judge how it behaves when it is refused',
      load: async () => (await import('./commands/clients.ts')).clientsCommand,
    },
  ],
  [
    'history',
    {
      description: 'show what changed from run to run, and when; sends nothing',
      load: async () => (await import('./commands/history.ts')).historyCommand,
    },
  ],
  [
    'baseline',
    {
      description: 'maintain the list of known deviations',
      load: async () => (await import('./commands/baseline.ts')).baselineCommand,
    },
  ],
  [
    'kubernetes',
    {
      arguments: '<scenarios...>',
      description: 'write load scenarios as a manifest for k6-operator; sends nothing',
      load: async () => (await import('./commands/kubernetes.ts')).kubernetesCommand,
    },
  ],
  [
    'collect',
    {
      arguments: '<manifest> <logs...>',
      description: 'make one trace of the logs of all pods',
      load: async () => (await import('./commands/collect.ts')).collectCommand,
    },
  ],
  [
    completionsName,
    {
      arguments: '<shell>',
      description: 'write a script that completes commands and options in bash, zsh or fish',
      load: async () => (await import('./commands/completions.ts')).completionsCommand,
    },
  ],
  [
    'webhooks',
    {
      description: 'judge the webhooks of a deployment, or a receiver of webhooks',
      load: async () => (await import('./commands/webhooks/webhooks.ts')).webhooksCommand,
    },
  ],
]);

const help = `
Without settings, the embedded reference service is started, validated and
stopped. Flags win over the environment, the environment over the settings
file, and the settings file over the defaults.

Exit status: 0 conformant, 1 a "must" clause is violated,
             2 unusable input (nothing was sent), 3 inconclusive or incomplete,
             4 an error of this program, 130 interrupted`;

const versionFlags = ['-V', '--version'];

/** Whether a command line asks for versions alone. */
export function asksForVersions(words: readonly string[]): boolean {
  const [first] = words.filter((word) => word !== '--debug');
  return first !== undefined && versionFlags.includes(first);
}

/** The command line, as far as these words need it: the command that they name is whole, and of others there is what a list of them says. */
export async function programOf(io: CommandIo, words: readonly string[]): Promise<Command> {
  const program = new Command('conformance')
    .description('Proves whether a deployed messaging API keeps the rate-limit promises of its document.')
    .option(
      versionFlags.join(', '),
      'show the versions of this program, Node, k6 and the files that it writes',
    )
    .option('--debug', 'show the stack of an error in this program (DEBUG does the same)')
    .configureHelp({ subcommandTerm: termOf, minWidthToWrap: 30 })
    .addHelpText('after', help);
  for (const [name, listed] of commands) {
    const command = isNeeded(name, words) ? (await listed.load())(io) : asListed(name, listed);
    program.addCommand(command, { isDefault: name === defaultName });
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

/** Flags alone are for the default command, but for those that are answered without any. */
function isNeeded(name: string, words: readonly string[]): boolean {
  if (words.includes(name) || words[0] === completionsName) return true;
  const first = words.find((one) => one !== '--debug') ?? '';
  const isAnswered = words.some((one) => ['--help', '-h', ...versionFlags].includes(one));
  return name === defaultName && !commands.has(first) && !isAnswered;
}

function asListed(name: string, { arguments: named, description }: Listed): Command {
  const command = new Command(name).description(description);
  return named === undefined ? command : command.arguments(named);
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
