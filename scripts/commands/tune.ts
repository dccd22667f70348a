import { stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Command } from 'commander';
import { chosenConfigurations } from '../../backoff/configurations.ts';
import { type ClientFlags, clientOf, type FoundLimiter } from '../../backoff/tuning/client.ts';
import type { SearchPhase, SearchStep } from '../../backoff/tuning/search.ts';
import { type Tuning, tune } from '../../backoff/tuning/tuning.ts';
import { type Document, scopesOf } from '../../contract/document/document.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import { howMany } from '../../contract/quantities.ts';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { columnsMin } from '../../reports/terminal/layout.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { pendingRow } from '../../run/progress/progress.ts';
import { seeded } from '../../run/seeded.ts';
import { shownPath } from '../../run/shown-path.ts';
import { documentLimiter } from '../../run/tune/document-limiter.ts';
import { foundLimiter } from '../../run/tune/found-limiter.ts';
import { resultOf } from '../../run/tune/result.ts';
import { tuningPage } from '../../run/tune/tuning-page.ts';
import { checkVerifiable } from '../../run/verify/verify-tuning.ts';
import { type DisplayKind, displayKindFor, openDisplay } from '../display/display.ts';
import { addClientOptions } from '../options/client-options.ts';
import { countOf, list, percentOf } from '../options/values.ts';
import { tuningText } from '../texts/tuning-text.ts';
import { verifyText } from '../texts/verify-text.ts';
import type { CommandIo } from './command-io.ts';
import { verifyLiveWithProgress } from './live-verification.ts';

type TuneFlags = Omit<ClientFlags, 'scope'> & {
  readonly scope?: string;
  readonly document?: string;
  readonly limiter?: string;
  readonly for?: readonly string[];
  readonly verify?: true;
  readonly json?: true;
  readonly html?: string;
};

/** `conformance tune`: finds by simulation how a client should back off; sends requests only with --verify. */
export function tuneCommand(io: CommandIo): Command {
  return addClientOptions(
    new Command('tune').description('find the best backoff for a client of a rate limit, by simulation'),
  )
    .option(
      '--situations <name...>',
      'state at the start: cold, warm, all-at-once (default: cold,warm)',
      list,
    )
    .option(
      '--today <name...>',
      'what is used today: a library, a jitter, "all" or "nothing" (default: full-jitter)',
      list,
    )
    .option(
      '--slack <percent>',
      'how much slower than the fastest it may be, to get fewer 429s',
      percentOf,
      1.5,
    )
    .option('--runs <n>', 'simulated runs of each situation', countOf, 60)
    .option('--for <library...>', 'print code for: undici, got, ky, p-retry, cockatiel, aws-sdk', list)
    .option(
      '--verify',
      'also work the backlog off live, with k6 at the reference service; takes as long as the backlog',
    )
    .option('--html <file>', 'write a page with a chart of all strategies')
    .option('--json', 'write the result to standard output, and nothing else')
    .action((flags: TuneFlags) => tuneClient(io, flags));
}

async function tuneClient(io: CommandIo, flags: TuneFlags): Promise<void> {
  const document = flags.document === undefined ? null : await loadDocument(flags.document, io.cwd);
  const scope = flags.scope ?? (document === null ? 'messages' : (scopesOf(document)[0] ?? ''));
  const found = await limiterFor(io, { limiter: flags.limiter, document, scope });
  const client = clientOf({ ...flags, scope }, found);
  const wanted = chosenConfigurations(flags.for ?? []);
  if (flags.verify === true) checkVerifiable(client, found !== null);
  if (flags.html !== undefined) await checkFolderOf(resolve(io.cwd, flags.html));
  const row = 'tune';
  const kind = displayKindFor(io.stderr, io.env);
  const display = openDisplay(kind, {
    stream: io.stderr,
    rows: [pendingRow(row, null)],
    nowMs: () => performance.timeOrigin + performance.now(),
  });
  const tuning = await tune(client, {
    seeded,
    onStep: (step) => display.show({ kind: 'doing', row, text: stepText(step, kind) }),
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

type Wanted = {
  readonly limiter: string | undefined;
  readonly document: Document | null;
  readonly scope: string;
};

/** The limiter that a file tells of, or a document; `null` where it is the messaging document’s, with what flags say. */
async function limiterFor(io: CommandIo, { limiter, document, scope }: Wanted): Promise<FoundLimiter | null> {
  if (limiter !== undefined && document !== null)
    throw new UsageError('Give the limiter by --limiter or by --document, not by both.');
  if (document !== null) return documentLimiter(document, scope);
  if (limiter !== undefined) return foundLimiter(limiter, { cwd: io.cwd, scope });
  // Names what there is.
  documentLimiter(messagingDocument, scope);
  return null;
}

const codeHint = 'as code: --for undici,got,ky,p-retry,cockatiel,aws-sdk, --json or --html FILE';

const phases: Readonly<Record<SearchPhase, (of: number) => string>> = {
  trying: (of) => `trying ${howMany(of, 'setting')}`,
  refining: (of) => `refining the best, ${howMany(of, 'setting')}`,
  comparing: (of) => `comparing ${of} in depth`,
};

/** Redrawn rows show the progress; plain lines show the phase only. */
function stepText({ phase, done, of }: SearchStep, kind: DisplayKind): string {
  const text = phases[phase](of);
  return kind === 'live' ? `${text}, ${Math.round((done / of) * 100)} %` : text;
}

/** Checked before the search: it would be lost if the page could not be written. */
async function checkFolderOf(path: string): Promise<void> {
  const folder = dirname(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError(`--html cannot be written: there is no folder ${folder}.`);
}

async function writePage(io: CommandIo, file: string, tuning: Tuning): Promise<void> {
  const path = resolve(io.cwd, file);
  try {
    await writeFile(path, await tuningPage(tuning));
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError(`--html cannot be written: ${why}.`);
  }
  io.stderr.write(`the chart is in ${shownPath(path, io.cwd)}\n`);
}
