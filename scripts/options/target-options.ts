import { type Command, Option } from 'commander';
import { addTransportOptions } from './transport-options.ts';
import { countOf, list, namesOrNone, secondsOf, wholeNumber } from './values.ts';

/** Flags for the target of a run. Each has an environment variable, for Vitest's own command line. */
export function addTargetOptions(command: Command): Command {
  const option = (flags: string, description: string) => new Option(flags, description);
  return addTransportOptions(command)
    .addOption(
      option(
        '--config <file>',
        'settings of a deployment (default: conformance.config.ts in this folder, if it exists)',
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
        'names of the environment variables that hold the API keys, e.g. KEY_A,KEY_B; none: the API has none',
      )
        .argParser(namesOrNone)
        .env('CONFORMANCE_KEY_ENV'),
    )
    .addOption(
      option(
        '--header-env <header=name...>',
        'header of every request whose value is in an environment variable, e.g. X-Api-Key=MY_KEY',
      )
        .argParser(list)
        .env('CONFORMANCE_HEADER_ENV'),
    )
    .addOption(
      option('--profile <name>', 'use the requests of the reference service, for one that "serve" started')
        .choices(['reference'])
        .env('CONFORMANCE_PROFILE'),
    )
    .addOption(
      option('--allow-host <host...>', 'also send to this host; without this flag, only to this machine')
        .argParser(list)
        .env('CONFORMANCE_ALLOW_HOST'),
    )
    .addOption(
      option('--document <file>', 'what is promised, as YAML or JSON (default: the messaging document)').env(
        'CONFORMANCE_DOCUMENT',
      ),
    )
    .addOption(
      option('--window <seconds>', 'expected length of the window (default: 60, as documented)')
        .argParser(secondsOf)
        .env('CONFORMANCE_WINDOW'),
    )
    .addOption(
      option('--timeout <seconds>', 'how long one request may take (default: 10)')
        .argParser(secondsOf)
        .env('CONFORMANCE_TIMEOUT'),
    )
    .addOption(
      option('--wait <seconds>', 'wait until the target answers, at most this long')
        .argParser(secondsOf)
        .env('CONFORMANCE_WAIT'),
    )
    .addOption(
      option('--max-requests <n>', 'never send more requests than this, probes and k6 together')
        .argParser(countOf)
        .env('CONFORMANCE_MAX_REQUESTS'),
    )
    .addOption(stopAfterOption().env('CONFORMANCE_STOP_AFTER'));
}

/** When to stop sending to a target that fails. */
export function stopAfterOption(): Option {
  return new Option(
    '--stop-after <n>',
    'stop sending after so many answers in a row that are neither 2xx nor 429, or none (default: 20; 0: never)',
  ).argParser(wholeNumber({ min: 0, max: 100_000 }));
}
