import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { UsageError } from '../../contract/usage-error.ts';
import { examine, type Row } from './examine.ts';
import { type GalleryOptions, optionsOf, usage } from './options.ts';
import { ownVersion } from './package-version.ts';
import { galleryPage } from './page.ts';
import type { Peer } from './peer.ts';
import { peers } from './peers.ts';
import { promisesIn } from './promised/section.ts';
import { nameOf } from './subject.ts';
import { cellsOf, columns } from './table.ts';

const root = new URL('../../', import.meta.url);

/** Whatever the servers do, it is over after this. */
const wholeMsMax = 3_600_000;

/** Between the starts of two rows, so that their bursts do not fall on each other. */
const staggerMs = 700;

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interrupted.abort());
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = optionsOf(args);
    if (options !== null) return await show(options);
    console.log(usage);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
}

async function show({ isJson, isWritten, only, rule, atOnce }: GalleryOptions): Promise<number> {
  const chosen = peers
    .filter(
      (peer) => only.length === 0 || only.some((text) => `${peer.origin} ${nameOf(peer)}`.includes(text)),
    )
    .map((peer) => ({ ...peer, rule: { ...peer.rule, ...rule } }));
  if (chosen.length === 0) throw new UsageError(`no row has "${only.join('" or "')}" in its name`);
  const version = await ownVersion();
  const startedMs = performance.now();
  const rows = await examineAll(chosen, { version, atOnce });
  if (interrupted.signal.aborted) return 130;
  const minutes = Math.ceil((performance.now() - startedMs) / 60_000);
  if (isJson) console.log(JSON.stringify({ version, node: process.versions.node, rows }, null, 2));
  else printTable(rows);
  if (isWritten && rows.some(({ result }) => result.state === 'not-run')) {
    tell('docs/gallery.md is left as it is: not all rows ran');
  } else if (isWritten) {
    const file = new URL('docs/gallery.md', root);
    const page = galleryPage({ rows, version, nodeVersion: process.versions.node, minutes, atOnce });
    // `npm run gallery:promises` writes the end of the page.
    await writeFile(file, `${page}\n${promisesIn(await readFile(file, 'utf8'))}\n`);
    tell('docs/gallery.md is written');
  }
  return exitCodeOf(rows);
}

type Run = { readonly version: string; readonly atOnce: number };

async function examineAll(chosen: readonly Peer[], { version, atOnce }: Run): Promise<readonly Row[]> {
  const folder = fileURLToPath(new URL(`runs/gallery-${stamp()}`, root));
  const failed = new AbortController();
  const signal = AbortSignal.any([interrupted.signal, failed.signal, AbortSignal.timeout(wholeMsMax)]);
  const startedMs = performance.now();
  const seconds = (): string => `${((performance.now() - startedMs) / 1_000).toFixed(0)} s`;
  tell(`${chosen.length} rows, real windows, ${atOnce} side by side; traces go to ${folder}`);
  const rows: (Row | undefined)[] = chosen.map(() => undefined);
  const waiting = [...chosen.entries()].sort(([, left], [, right]) => slowness(right) - slowness(left));
  const work = async (): Promise<void> => {
    for (let first = waiting.shift(); first !== undefined && !signal.aborted; first = waiting.shift()) {
      const [at, peer] = first;
      const row = await examine(peer, { folder, version, signal });
      rows[at] = row;
      tell(`${seconds()}: ${cellsOf(row).slice(0, 10).join(' | ')}`);
    }
  };
  // All are waited for, also where one fails: each has a server to end.
  const workers = Array.from({ length: Math.min(atOnce, chosen.length) }, async (_, at) => {
    await sleep(at * staggerMs);
    await work().catch((error: unknown) => {
      failed.abort();
      throw error;
    });
  });
  for (const settled of await Promise.allSettled(workers)) {
    if (settled.status === 'rejected') throw settled.reason;
  }
  return rows.filter((row) => row !== undefined);
}

/** Those that take longest begin first: a limiter that prolongs its block is given ever longer silences. */
function slowness({ truth, rule }: Peer): number {
  return truth(rule).rejections === 'prolong the block' ? 1 : 0;
}

function printTable(rows: readonly Row[]): void {
  const widths = [28, 9, 12, 24, 24, 9, 7, 18, 12, 10, 10, 40];
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
  if (
    results.some(
      (result) => result.state === 'examined' && result.grade.name !== 'alone' && result.grade.name !== 'tie',
    )
  )
    return 1;
  return results.some(({ state }) => state === 'not-run') ? 3 : 0;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

function stamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-');
}
