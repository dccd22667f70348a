import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { seeded } from '../../checks/simulation/random.ts';
import { scopes } from '../../contract/scopes.ts';
import { knowledges } from '../../load/backoff/tuning/families.ts';
import type { SearchPhase, SearchStep } from '../../load/backoff/tuning/search.ts';
import { columnsMin } from '../../reports/terminal/layout.ts';
import { displayKindFor, openDisplay } from '../display/display.ts';
import { pendingRow } from '../display/progress.ts';
import { list, secondsOf } from '../settings/target-options.ts';
import { shownPath } from '../shown-path.ts';
import { clientOf, type TuneFlags } from '../tune/client.ts';
import { chosenConfigurations } from '../tune/configurations.ts';
import { foundLimiter } from '../tune/found-limiter.ts';
import { resultOf } from '../tune/result.ts';
import { type Tuning, tune } from '../tune/tuning.ts';
import { tuningPage } from '../tune/tuning-page.ts';
import { tuningText } from '../tune/tuning-text.ts';
import { UsageError } from '../usage-error.ts';
import { verifyLiveWithProgress } from '../verify/live-verification.ts';
import { verifyText } from '../verify/verify-text.ts';
import { checkVerifiable } from '../verify/verify-tuning.ts';
import type { CommandIo } from './command-io.ts';

/** `conformance tune`: with which numbers a client should back off, found by simulation; sends nothing but to verify. */
export function tuneCommand(io: CommandIo): Command {
  return addClientOptions(
    new Command('tune').description('find the backoff for a client of a rate limit; sends nothing'),
  )
    .option('--situations <name...>', 'what it finds: cold, warm, all-at-once (default: cold,warm)', list)
    .option(
      '--today <name...>',
      'what is used today: a library, a jitter, all or nothing (default: full-jitter)',
      list,
    )
    .option(
      '--slack <percent>',
      'how much longer it may take than the fastest, to spare 429s',
      percentOf,
      1.5,
    )
    .option('--runs <n>', 'runs of each situation that figures rest on', countOf, 60)
    .option(
      '--for <library...>',
      'print ready configuration: undici, got, ky, p-retry, cockatiel, aws-sdk',
      list,
    )
    .option(
      '--verify',
      'drain the backlog live too, at the reference service by k6: as long as the backlog takes',
    )
    .option('--html <file>', 'write a chart of it all as one self-contained page')
    .option('--json', 'write the result to standard output, and nothing else')
    .action((flags: TuneFlags) => tuneClient(io, flags));
}

function addClientOptions(command: Command): Command {
  return command
    .addOption(new Option('--scope <scope>', 'whose limit it is').choices(scopes).default('messages'))
    .option('--limit <n>', 'requests in a window (default: as documented)', countOf)
    .option('--window <seconds>', 'length of the window (default: as documented)', secondsOf)
    .option('--limiter <file>', 'the limiter as it was found: a trace, or what "identify --json" wrote')
    .option('--clients <n>', 'clients that share the key, each sends one request at a time', countOf, 20)
    .option('--processes <n>', 'processes that they are in', countOf, 1)
    .option('--store', 'the processes share a store, and can act as one')
    .option('--jobs <n>', 'requests that have to be done (default: four windows of them)', countOf)
    .option('--latency <ms>', 'round trip, and that of 99 in 100: 24ms or 24ms,80ms', latencyOf, [24])
    .option('--loss <percent>', 'requests whose connection breaks', percentOf, 0)
    .addOption(new Option('--knows <what>', 'what the client can go by').choices(knowledges).default('limit'))
    .option('--method <method>', 'of the requests: libraries retry few', 'GET')
    .option('--no-retry-after-header', 'the service names the wait in the body alone');
}

async function tuneClient(io: CommandIo, flags: TuneFlags): Promise<void> {
  const found =
    flags.limiter === undefined ? null : await foundLimiter(resolve(io.cwd, flags.limiter), flags.scope);
  const client = clientOf(flags, found);
  const wanted = chosenConfigurations(flags.for ?? []);
  if (flags.verify === true) checkVerifiable(client, found !== null);
  const row = 'tune';
  const display = openDisplay(displayKindFor(io.stderr, io.env), {
    stream: io.stderr,
    rows: [pendingRow(row, null)],
    nowMs: () => performance.timeOrigin + performance.now(),
  });
  const tuning = await tune(client, {
    seeded,
    onStep: (step) => display.show({ kind: 'doing', row, text: stepText(step) }),
    breathe: () => setImmediate(),
  });
  display.show({ kind: 'ended', row, state: 'done', text: 'done' });
  await display.close();
  const live = flags.verify === true ? await verifyLiveWithProgress(io, tuning) : null;
  if (flags.html !== undefined) await writePage(io, flags.html, tuning);
  const result = { ...resultOf(tuning), ...(live === null ? {} : { verified: live.results }) };
  if (flags.json === true) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else {
    io.stdout.write(`${tuningText(tuning, Math.max(columnsMin, io.stdout.columns ?? columnsMin))}\n`);
    if (flags.for === undefined) io.stdout.write(`${codeHint}\n`);
    for (const { name, code } of result.configurations.filter(wanted)) {
      io.stdout.write(`\n// ${name}\n${code}`);
    }
    if (live !== null) io.stdout.write(`\n${verifyText(live.results, client.rate.windowMs)}\n`);
  }
  io.exit(live?.exitCode ?? 0);
}

const codeHint = 'as code: --for undici,got,ky,p-retry,cockatiel,aws-sdk, --json or --html FILE';

const phases: Readonly<Record<SearchPhase, (of: number) => string>> = {
  trying: (of) => `trying ${of} settings`,
  refining: (of) => `refining the best, ${of} settings`,
  comparing: (of) => `comparing ${of} in depth`,
};

function stepText({ phase, of }: SearchStep): string {
  return phases[phase](of);
}

async function writePage(io: CommandIo, file: string, tuning: Tuning): Promise<void> {
  const path = resolve(io.cwd, file);
  try {
    await writeFile(path, await tuningPage(tuning));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--html cannot be written: ${why}.`);
  }
  io.stderr.write(`the chart is in ${shownPath(path, io.cwd)}\n`);
}

function countOf(value: string): number {
  if (!/^[1-9]\d{0,6}$/.test(value)) throw new InvalidArgumentError('It must be a whole number, at least 1.');
  return Number(value);
}

function percentOf(value: string): number {
  const percent = Number(value.replace(/%$/, ''));
  if (value.trim() === '' || !(percent >= 0 && percent <= 50))
    throw new InvalidArgumentError('It must be a percentage from 0 to 50.');
  return percent;
}

/** One or two times in ms; `24ms`, `24` and `0.024s` are the same. */
function latencyOf(value: string): readonly number[] {
  const times = value.split(',').map((part) => {
    const [, figure, unit] = /^(\d+(?:\.\d+)?)(ms|s|)$/.exec(part.trim()) ?? [];
    return Number(figure) * (unit === 's' ? 1_000 : 1);
  });
  if (times.length > 2 || !times.every((ms) => ms > 0)) {
    throw new InvalidArgumentError('Give a time above 0, e.g. 24ms, or two: the median and 99 of 100.');
  }
  return times;
}
