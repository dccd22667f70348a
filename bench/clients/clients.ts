import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { type ClientTrace, parseClientTrace } from '../../contract/clients/trace.ts';
import { formatLine } from '../../contract/ndjson.ts';
import { messageOf } from '../../contract/thrown.ts';
import { ownVersion, packageVersion } from '../gallery/package-version.ts';
import { type Grade, gradeOf } from './grade.ts';
import { clientsPage } from './page.ts';
import type { ClientPeer, Job } from './peer.ts';
import { runPeer, windowsMax } from './peer-run.ts';
import { peers } from './peers.ts';
import { cellsOf, columns } from './table.ts';

const usage = `npm run clients -- [options]

Gives client libraries a backlog and refusals at the reference service on loopback, and grades how they retry.

  --window <s>   length of the window (default: 60, the document's: about six minutes); the limits shrink with it
  --only <text>  only clients whose name holds the text
  --from <dir>   send nothing: grade the traces of an earlier run again
  --json         print the grades as one JSON object
  --write        write docs/clients.md: all clients, the document's window
  --help         show this

Exit status: 0 all were graded, 2 unusable input, 130 interrupted.
`;

const root = new URL('../../', import.meta.url);
const documentedSeconds = 60;

/**
 * Each begins a moment after the one before, the last first, so that their bursts do not fall on each other: on a busy
 * machine that would be measured, and not the library.
 */
const startsInWindow = 40;

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort());
// What a library still waits for when the time is up would keep the process alive.
process.exit(await main(process.argv.slice(2)));

async function main(args: readonly string[]): Promise<number> {
  const flags = flagsOf(args);
  if (typeof flags === 'number') return flags;
  const chosen = peers.filter(({ library }) => library.includes(flags.only));
  if (chosen.length === 0) return refuse(`no client has "${flags.only}" in its name`);
  const isWhole = flags.only === '' && flags.from === '' && flags.windowSeconds === documentedSeconds;
  if (flags.write && !isWhole)
    return refuse('--write needs a run of all clients with the document’s window: leave out the other flags');
  const version = await ownVersion();
  const rows = await rowsOf(chosen, version);
  const grades =
    flags.from === ''
      ? await gradeAll(rows, flags.windowSeconds * 1_000, version)
      : await gradeAgain(rows, pathToFileURL(`${resolve(flags.from)}/`));
  if (interrupted.signal.aborted) return 130;
  const facts = { version, nodeVersion: process.versions.node, windowSeconds: flags.windowSeconds, grades };
  if (flags.json) console.log(JSON.stringify(facts, null, 2));
  else printTable(grades);
  if (flags.write) {
    await mkdir(new URL('docs/', root), { recursive: true });
    await writeFile(new URL('docs/clients.md', root), clientsPage(facts));
    tell('docs/clients.md is written');
  }
  return 0;
}

type Flags = {
  readonly json: boolean;
  readonly write: boolean;
  readonly only: string;
  readonly from: string;
  readonly windowSeconds: number;
};

function flagsOf(args: readonly string[]): Flags | number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        window: { type: 'string', default: String(documentedSeconds) },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        from: { type: 'string', default: '' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      return 0;
    }
    const windowSeconds = Number(values.window);
    if (!(windowSeconds >= 2 && windowSeconds <= 600))
      return refuse(`--window ${values.window}: give seconds from 2 to 600`);
    return { ...values, windowSeconds };
  } catch (error) {
    return refuse(messageOf(error));
  }
}

function refuse(why: string): number {
  console.error(`${why}\n\n${usage}`);
  return 2;
}

type Row = Pick<Grade, 'library' | 'version' | 'scope' | 'method'> & { readonly peer: ClientPeer };

async function rowsOf(chosen: readonly ClientPeer[], own: string): Promise<readonly Row[]> {
  const rows = chosen.map(async (peer) => {
    const version = peer.package === null ? own : await packageVersion(peer.package);
    return peer.scopes.flatMap((scope) =>
      peer.methods.map((method) => {
        const asked: Job['method'] = scope === 'standard' ? 'GET' : method;
        return { peer, library: peer.library, version, scope, method: asked };
      }),
    );
  });
  return (await Promise.all(rows)).flat();
}

/** All rows at the same time, each with a service of its own. */
async function gradeAll(rows: readonly Row[], windowMs: number, version: string): Promise<readonly Grade[]> {
  const startedMs = performance.now();
  const folder = new URL(`runs/clients-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}/`, root);
  await mkdir(folder, { recursive: true });
  tell(
    `${rows.length} rows at once, at most ${(windowsMax * windowMs) / 1_000} s; traces go to ${folder.pathname}`,
  );
  return Promise.all(
    rows.map(async (row, at) => {
      const { signal } = interrupted;
      await sleep(((rows.length - 1 - at) * windowMs) / startsInWindow, undefined, { signal }).catch(
        () => undefined,
      );
      const result = await runPeer({ ...row, windowMs, version, signal });
      await saveTrace(new URL(`${slugOf(row)}.ndjson`, folder), result.trace);
      const { library, scope, method } = row;
      const grade = gradeOf({ library, version: row.version, scope, method }, result);
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
      tell(`${seconds} s: ${library}, ${method} ${scope}: ${grade.admitted} of ${grade.jobs}`);
      return grade;
    }),
  );
}

/** The same rows by what their traces say, with the judges of today. */
function gradeAgain(rows: readonly Row[], folder: URL): Promise<readonly Grade[]> {
  return Promise.all(
    rows.map(async (row) => {
      const trace = parseClientTrace(await readFile(new URL(`${slugOf(row)}.ndjson`, folder), 'utf8'));
      const { library, version, scope, method } = row;
      const result = {
        jobs: trace.header.requestsExpected['A'] ?? 0,
        trace,
        isDone: trace.end?.clientIsDone === true,
      };
      return gradeOf({ library, version, scope, method }, result);
    }),
  );
}

async function saveTrace(file: URL, { header, arrivals, end }: ClientTrace): Promise<void> {
  const lines = [header, ...arrivals, ...(end === null ? [] : [end])];
  await writeFile(file, lines.map(formatLine).join(''));
}

function slugOf({ library, scope, method }: Row): string {
  return `${library} ${method} ${scope}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function printTable(grades: readonly Grade[]): void {
  const table = new Table({
    head: [...columns],
    colWidths: [18, 9, 11, 11, 10, 9, 8, 10, 8, 10],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  table.push(...grades.map((grade) => [...cellsOf(grade)]));
  console.log(table.toString());
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
