import { Command } from 'commander';
import { type KeyPlace, keyField, keyPlaceOf } from '../../contract/document/key-place.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import { howMany } from '../../contract/quantities.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type ArrivalCounts, prove } from '../../run/clients/prove.ts';
import { checkProvable } from '../../run/clients/served-parts.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { shownPath } from '../../run/shown-path.ts';
import { takeKeys } from '../../run/target/keys.ts';
import { watchInterrupts } from '../interrupt.ts';
import { limitsWith, ratesTextOf } from '../options/service-options.ts';
import { countOf, list, portOf, secondsOf } from '../options/values.ts';
import type { CommandIo } from './command-io.ts';
import { type KeyFile, writeKeyFile } from './key-file.ts';
import { exitWith, writeReport } from './report-output.ts';

type ClientsFlags = {
  readonly port: number;
  readonly host: string;
  readonly window?: number;
  readonly document?: string;
  readonly limit?: readonly string[];
  readonly keyEnv?: readonly string[];
  readonly jobs?: number;
  readonly refuseFor: number;
  readonly idle?: number;
  readonly for?: number;
  readonly out: string;
  readonly json?: true;
};

/** A day. */
const forSecondsDefault = 86_400;

/** `conformance clients`: a server that tests other people's clients. */
export function clientsCommand(io: CommandIo): Command {
  return new Command('clients')
    .description('serve the API to your client, and judge how it behaves when it is refused')
    .option('--port <number>', 'port to listen on; 0 takes any free one', portOf, 8080)
    .option(
      '--host <host>',
      'address to listen on; the default is reachable from this machine only',
      '127.0.0.1',
    )
    .option('--document <file>', 'what it keeps, as YAML or JSON (default: the messaging document)')
    .option('--window <seconds>', 'length of the window (default: as documented)', secondsOf)
    .option('--limit <scope=n...>', 'another limit for a scope, e.g. media=5', list)
    .option(
      '--key-env <names>',
      'names of environment variables that hold the keys, one or two; without this flag, two keys are made',
      list,
    )
    .option(
      '--jobs <n>',
      'how many different requests your client sends with the first key, to find lost ones',
      countOf,
    )
    .option('--refuse-for <seconds>', 'how long all requests with the second key are refused', secondsOf, 15)
    .option('--idle <seconds>', 'end this long after the last request (default: two windows)', secondsOf)
    .option('--for <seconds>', 'end after this time in any case', secondsOf)
    .option('--out <folder>', 'folder in which each run makes its own folder', 'runs')
    .option('--json', 'write report.json to standard output, and nothing else')
    .action((flags: ClientsFlags) => proveClient(io, flags));
}

async function proveClient(io: CommandIo, flags: ClientsFlags): Promise<void> {
  const given = flags.document === undefined ? null : await loadDocument(flags.document, io.cwd);
  if (given !== null) checkProvable(given);
  const document = given ?? messagingDocument;
  const limits = limitsWith(flags.limit ?? [], document);
  const windowSeconds = flags.window ?? document.windowSeconds;
  if (flags.keyEnv !== undefined && flags.keyEnv.length > 2) {
    throw new UsageError(
      `--key-env names ${flags.keyEnv.length} variables, but there are two keys at most: the first has the documented limits, the second is refused for some time.`,
    );
  }
  const interrupts = watchInterrupts();
  const made = flags.keyEnv === undefined ? await writeKeyFile() : null;
  try {
    const names = made?.names ?? flags.keyEnv ?? [];
    const idleSeconds = flags.idle ?? 2 * windowSeconds;
    // With --json, standard output is for the report only.
    const say = (line: string): void => void (flags.json === true ? io.stderr : io.stdout).write(`${line}\n`);
    const { judged, folder } = await prove(
      {
        host: flags.host,
        port: flags.port,
        windowMs: windowSeconds * 1_000,
        limits,
        ...(given === null ? {} : { document: given }),
        refuseMs: flags.refuseFor * 1_000,
        keys: made?.keys ?? takeKeys(flags.keyEnv ?? [], io.env),
        jobs: flags.jobs ?? null,
        idleMs: idleSeconds * 1_000,
        forMs: (flags.for ?? forSecondsDefault) * 1_000,
        out: flags.out,
      },
      {
        cwd: io.cwd,
        session: io.session,
        signal: interrupts.signal,
        onListening: ({ url }) => {
          for (const line of banner(
            {
              ...{ url, names, made, idleSeconds },
              ratesText: ratesTextOf(document, { limits, windowSeconds }),
              keyPlace: keyPlaceOf(document),
            },
            flags,
          ))
            say(line);
        },
        onProgress: (counts, keyless) =>
          io.stderr.write(`${progressLine({ counts, names, keyless }, performance.now())}\n`),
      },
    );
    await writeReport(io, judged, flags.json === true ? 'json' : 'text');
    if (flags.json !== true) say(`saved in ${shownPath(folder, io.cwd)}`);
    exitWith(io, judged.report.exitCode, judged.unwritten);
  } finally {
    interrupts.stop();
    await made?.remove();
  }
}

type Served = {
  readonly url: string;
  /** What passes in each scope. */
  readonly ratesText: string;
  readonly keyPlace: KeyPlace;
  readonly names: readonly string[];
  readonly made: KeyFile | null;
  readonly idleSeconds: number;
};

function banner({ url, ratesText, keyPlace, names, made, idleSeconds }: Served, { refuseFor }: ClientsFlags) {
  const where = made === null ? ' (environment variables)' : `, made for this run, in the file ${made.path}`;
  const [first, second] = names;
  return [
    `proving ground on ${url}`,
    `  keys          ${names.join(' and ')}${where}`,
    `  ${keyPlace.in.padEnd(12)}  ${keyField(keyPlace, 'KEY')}`,
    `  ${first}  ${ratesText}: send more than that at once`,
    ...(second === undefined
      ? []
      : [
          `  ${second}  refused for ${refuseFor} s after its first request: send 20 or more, to show backoff and jitter`,
        ]),
    'Give each request its own Idempotency-Key or body, so that a retry can be distinguished from a new request.',
    `Ends ${idleSeconds} s after the last request, or with Ctrl-C; then it says what the client did.`,
  ];
}

type Progress = {
  readonly counts: ReadonlyMap<string, ArrivalCounts>;
  readonly names: readonly string[];
  /** Requests without one of the keys, or that are being answered. */
  readonly keyless: number;
};

function progressLine({ counts, names, keyless }: Progress, nowMs: number): string {
  const parts = [...counts].sort().map(([alias, { admitted, refused, others }], at) => {
    const rest = others === 0 ? '' : `, ${howMany(others, 'other')}`;
    return `${names[at] ?? alias}: ${admitted} admitted, ${refused} refused${rest}`;
  });
  const others = keyless === 0 ? [] : [`${keyless} without one of the keys, or not answered yet`];
  return `${(nowMs / 1_000).toFixed(0).padStart(5)} s  ${[...parts, ...others].join('; ')}`;
}
