import { type Command, Option } from 'commander';
import { list, secondsOf } from './values.ts';

/** Flags that say where a run goes. Each has a variable of the environment, for Vitest's own command line. */
export function addTargetOptions(command: Command): Command {
  const option = (flags: string, description: string) => new Option(flags, description);
  return command
    .addOption(
      option(
        '--config <file>',
        'settings of a deployment; conformance.config.ts in this folder is taken where there is one',
      ).env('CONFORMANCE_CONFIG'),
    )
    .addOption(
      option('--url <url...>', 'base URL, one for each node of the service')
        .argParser(list)
        .env('CONFORMANCE_URL'),
    )
    .addOption(
      option(
        '--key-env <names>',
        'names of the environment variables that hold the API keys, e.g. KEY_A,KEY_B',
      )
        .argParser(list)
        .env('CONFORMANCE_KEY_ENV'),
    )
    .addOption(
      option('--profile <name>', 'take the requests of the reference service, for one started by "serve"')
        .choices(['reference'])
        .env('CONFORMANCE_PROFILE'),
    )
    .addOption(
      option('--allow-host <host...>', 'send to this host too; without it only to this machine')
        .argParser(list)
        .env('CONFORMANCE_ALLOW_HOST'),
    )
    .addOption(
      option('--window <seconds>', 'length of the window that is expected (default: 60, as documented)')
        .argParser(secondsOf)
        .env('CONFORMANCE_WINDOW'),
    )
    .addOption(
      option('--timeout <seconds>', 'how long one request may take (default: 10)')
        .argParser(secondsOf)
        .env('CONFORMANCE_TIMEOUT'),
    );
}
