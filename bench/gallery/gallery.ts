import { mkdir, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { examine, type Row } from './examine.ts';
import { ownVersion } from './package-version.ts';
import { galleryPage } from './page.ts';
import type { Peer } from './peer.ts';
import { peers } from './peers.ts';
import { nameOf } from './subject.ts';
import { cellsOf, columns } from './table.ts';

const usage = `npm run gallery -- [options]

Starts other people's rate limiters on loopback, identifies each, and holds each to the document.

  --json         print everything that was found as one JSON object
  --write        write docs/gallery.md, if all rows ran
  --only <text>  only rows whose name holds the text
  --help         show this

Exit status: 0 all rows ran and were identified rightly, 1 one was not, 2 unusable input, 3 a row could not run.
`;

const root = new URL('../../', import.meta.url);

/** Whatever the servers do, it is over after this. */
const wholeMsMax = 400_000;

/** Between the starts of two rows, so that their bursts do not fall on each other. */
const staggerMs = 150;

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort());
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const flags = flagsOf(args);
  if (typeof flags === 'number') return flags;
  if (flags.write && flags.only !== '') return refuse('--write needs all rows: leave out --only');
  const chosen = peers.filter((peer) => nameOf(peer).includes(flags.only));
  if (chosen.length === 0) return refuse(`no row has "${flags.only}" in its name`);
  const version = await ownVersion();
  const rows = await examineAll(chosen, version);
  if (interrupted.signal.aborted) return 130;
  if (flags.json) console.log(JSON.stringify({ version, node: process.versions.node, rows }, null, 2));
  else printTable(rows);
  if (flags.write && rows.some(({ result }) => result.state === 'not-run')) {
    tell('docs/gallery.md is left as it is: not all rows ran');
  } else if (flags.write) {
    const page = galleryPage({ rows, version, nodeVersion: process.versions.node });
    await mkdir(new URL('docs/', root), { recursive: true });
    await writeFile(new URL('docs/gallery.md', root), page);
    tell('docs/gallery.md is written');
  }
  return exitCodeOf(rows);
}

type Flags = { readonly json: boolean; readonly write: boolean; readonly only: string };

function flagsOf(args: readonly string[]): Flags | number {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        help: { type: 'boolean', default: false },
      },
    });
    if (!values.help) return values;
    console.log(usage);
    return 0;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(why: string): number {
  console.error(`${why}\n\n${usage}`);
  return 2;
}

async function examineAll(chosen: readonly Peer[], version: string): Promise<readonly Row[]> {
  const folder = fileURLToPath(new URL(`runs/gallery-${stamp()}`, root));
  const failed = new AbortController();
  const signal = AbortSignal.any([interrupted.signal, failed.signal, AbortSignal.timeout(wholeMsMax)]);
  const startedMs = performance.now();
  const seconds = (): string => `${((performance.now() - startedMs) / 1_000).toFixed(0)} s`;
  let left = chosen.length;
  const examineOne = async (peer: Peer, at: number): Promise<Row> => {
    await sleep(at * staggerMs);
    const row = await examine(peer, { folder, version, signal });
    left -= 1;
    const [, , found, limit, window, kept] = cellsOf(row);
    tell(`${seconds()}: ${nameOf(peer)}: ${found}, ${limit} in ${window}; kept: ${kept}`);
    return row;
  };
  tell(`${chosen.length} rows, real windows: about four minutes; traces go to ${folder}`);
  const heartbeat = setInterval(() => tell(`${seconds()}: ${left} of ${chosen.length} still at it`), 20_000);
  // All are waited for, also where one fails: each has a server to end.
  const settled = await Promise.allSettled(
    chosen.map((peer, at) =>
      examineOne(peer, at).catch((error: unknown) => {
        failed.abort();
        throw new Error(`${nameOf(peer)} could not be examined`, { cause: error });
      }),
    ),
  );
  clearInterval(heartbeat);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

function printTable(rows: readonly Row[]): void {
  const widths = [26, 9, 28, 7, 18, 11, 46];
  const table = new Table({
    head: [...columns],
    colWidths: widths,
    wordWrap: true,
    style: { head: [], border: [] },
  });
  table.push(...rows.map((row) => [...cellsOf(row)]));
  console.log(table.toString());
}

function exitCodeOf(rows: readonly Row[]): number {
  const results = rows.map(({ result }) => result);
  if (results.some((result) => result.state === 'examined' && !result.isRight)) return 1;
  return results.some(({ state }) => state === 'not-run') ? 3 : 0;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

function stamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-');
}
