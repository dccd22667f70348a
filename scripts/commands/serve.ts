import { Command, InvalidArgumentError } from 'commander';
import {
  documentedLimits,
  documentedWindowMs,
  type Limits,
  type Scope,
  scopes,
} from '../../contract/scopes.ts';
import { startService } from '../../service/server.ts';
import { didYouMean } from '../nearest.ts';
import { watchInterrupts } from '../run/interrupt.ts';
import { takeKeys } from '../settings/take-keys.ts';
import { list, secondsOf } from '../settings/target-options.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandIo } from './command-io.ts';
import { writeKeyFile } from './key-file.ts';

type ServeFlags = {
  readonly port: number;
  readonly host: string;
  readonly window: number;
  readonly keyEnv?: readonly string[];
  readonly limit?: readonly string[];
  readonly fault?: readonly string[];
  readonly quiet?: true;
};

/** `conformance serve`: the reference service alone, until it is told to stop. */
export function serveCommand(io: CommandIo): Command {
  return new Command('serve')
    .description('run the reference service alone')
    .option('--port <number>', 'port to listen on; 0 takes any free one', portOf, 8080)
    .option('--host <host>', 'address to listen on; this machine alone where nothing is said', '127.0.0.1')
    .option('--window <seconds>', 'length of the rolling window', secondsOf, documentedWindowMs / 1_000)
    .option(
      '--key-env <names>',
      'names of the environment variables that hold its API keys; without it keys are made',
      list,
    )
    .option('--limit <scope=n...>', 'another limit for a scope, e.g. media=5', list)
    .option('--fault <name...>', 'deviate from the document in this way', list)
    .option('--quiet', 'print nothing but the address, and the file of keys that were made')
    .action((flags: ServeFlags) => serve(io, flags));
}

async function serve(io: CommandIo, flags: ServeFlags): Promise<void> {
  const interrupts = watchInterrupts();
  const made = flags.keyEnv === undefined ? await writeKeyFile() : null;
  try {
    const keys = made?.keys ?? takeKeys(flags.keyEnv ?? [], io.env);
    const limits = limitsOf(flags.limit ?? []);
    const service = await startService({
      host: flags.host,
      port: flags.port,
      windowMs: flags.window * 1_000,
      limits,
      keys: new Map(keys.map(({ alias, secret }) => [alias, secret])),
      faults: flags.fault ?? [],
    });
    const names = made?.names ?? flags.keyEnv ?? [];
    const told = { url: service.url, limits, names, keyFile: made?.path ?? null };
    for (const line of flags.quiet === true ? brief(told) : banner(told, flags)) io.stdout.write(`${line}\n`);
    await aborted(interrupts.signal);
    await service.close();
    io.exit(0);
  } finally {
    interrupts.stop();
    await made?.remove();
  }
}

type Told = {
  readonly url: string;
  readonly limits: Limits;
  readonly names: readonly string[];
  readonly keyFile: string | null;
};

function brief({ url, keyFile }: Told): readonly string[] {
  return keyFile === null ? [url] : [url, keyFile];
}

function banner({ url, limits, names, keyFile }: Told, { window, fault }: ServeFlags): readonly string[] {
  const rates = scopes.map((scope) => `${scope} ${limits[scope]}`).join(', ');
  const windowFlag = window * 1_000 === documentedWindowMs ? '' : ` --window ${window}`;
  const command = `npm start -- --url ${url} --profile reference --key-env ${names.join(',')}${windowFlag}`;
  return [
    `reference service on ${url}`,
    `  limits  ${rates} in any ${window} s, for each key`,
    ...(fault === undefined ? [] : [`  faults  ${fault.join(', ')}`]),
    `  keys    ${names.join(' and ')}${keyFile === null ? ' of the environment' : `, made for this run and kept in ${keyFile}`}`,
    'check it, in another shell, with',
    ...(keyFile === null ? [] : [`  . ${keyFile}`]),
    `  ${command}`,
    'Ctrl-C ends it.',
  ];
}

function limitsOf(texts: readonly string[]): Limits {
  const given = texts.map((text): readonly [Scope, number] => {
    const [name = '', count = ''] = text.split('=');
    const scope = scopes.find((one) => one === name);
    if (scope === undefined) {
      throw new UsageError(
        `--limit ${text}: there is no scope "${name}"${didYouMean(name, scopes)} Scopes: ${scopes.join(', ')}.`,
      );
    }
    if (!/^[1-9]\d{0,5}$/.test(count)) {
      throw new UsageError(`--limit ${text}: give a number of requests from 1 to 999999, e.g. ${scope}=30.`);
    }
    return [scope, Number(count)];
  });
  return { ...documentedLimits, ...Object.fromEntries(given) };
}

function portOf(value: string): number {
  const port = Number(value);
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new InvalidArgumentError('It must be an integer from 0 to 65535.');
  return port;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
