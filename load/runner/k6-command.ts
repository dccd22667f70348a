import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of one run of k6, in a folder of its own. */
export type K6Files = { readonly config: string; readonly console: string; readonly summary: string };

export async function prepareFiles(folder: string): Promise<K6Files> {
  const files = {
    config: join(folder, 'k6.json'),
    console: join(folder, 'console.ndjson'),
    summary: join(folder, 'summary.json'),
  };
  await writeFile(files.config, '{}');
  await writeFile(files.console, '');
  return files;
}

/** Gives `use` a temporary folder of its own, which other users cannot read, and removes it afterwards. */
export async function inTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-conformance-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a person may add to a run of k6. */
export type K6Extras = {
  /** Outputs as k6's own `--out` takes them. */
  readonly outs: readonly string[];
  /** Serves k6's dashboard on a free port of this machine while it runs. */
  readonly dashboard: 'shown' | 'off';
};

export const noExtras: K6Extras = { outs: [], dashboard: 'off' };

export type K6Call = {
  readonly files: K6Files;
  readonly script: string;
  readonly extras: K6Extras;
  /** Which process this is, and how many share the scenario. */
  readonly part: { readonly at: number; readonly of: number };
};

/** k6 opens no REST API (`--address` is not given), reads no settings file of the user, and sends no usage report. */
export function k6Arguments({ files, script, extras, part }: K6Call): readonly string[] {
  return [
    // k6 prints the address of the dashboard only at its start, and not with --quiet.
    ...['run', ...(extras.dashboard === 'shown' ? [] : ['--quiet'])],
    ...['--no-color', '--no-usage-report', '--config', files.config],
    ...['--console-output', files.console, '--log-format', 'raw', '--log-output', 'stderr'],
    ...['--summary-export', files.summary],
    ...extras.outs.flatMap((out) => ['--out', out]),
    ...segmentArguments(part),
    script,
  ];
}

/** k6's own execution segments: equal shares, with the whole sequence, so that every process knows its own share. */
function segmentArguments({ at, of }: K6Call['part']): readonly string[] {
  if (of === 1) return [];
  const cut = (n: number): string => (n === 0 || n === of ? String(n / of) : `${n}/${of}`);
  const sequence = Array.from({ length: of + 1 }, (_, n) => cut(n)).join(',');
  return [
    ...['--execution-segment', `${cut(at)}:${cut(at + 1)}`],
    ...['--execution-segment-sequence', sequence],
  ];
}
