import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { formatLine } from '../../contract/ndjson.ts';
import { howMany } from '../../contract/quantities.ts';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { CollectError, type CollectedTrace, collect } from '../../load/kubernetes/collect.ts';
import { ManifestError, readManifest } from '../../load/kubernetes/deployed.ts';
import { traceFileName } from '../../run/judge/trace-file.ts';
import { createRunDirectory } from '../../run/record/run-directory.ts';
import { shownPath } from '../../run/shown-path.ts';
import type { CommandIo } from './command-io.ts';

type CollectFlags = { readonly out: string };

/** `conformance collect`: makes one trace of what the pods of a manifest wrote, for `conformance judge`. */
export function collectCommand(io: CommandIo): Command {
  return new Command('collect')
    .description('make one trace of the logs of all pods')
    .argument('<manifest>', 'the output of "kubernetes"')
    .argument('<logs...>', 'logs of the pods, or the files on their volume')
    .option('--out <folder>', 'folder in which each run makes its own folder', 'runs')
    .action(async (manifest: string, logs: readonly string[], flags: CollectFlags) => {
      const collected = await collectFrom(
        resolve(io.cwd, manifest),
        logs.map((log) => resolve(io.cwd, log)),
      );
      if (collected.exchanges === 0) {
        throw new UsageError(
          'These logs hold no exchange: are they the logs of the runners (label runner=true)?',
        );
      }
      const [header] = collected.lines;
      const startedAtMs = header?.kind === 'trace' ? Date.parse(header.startedAt) : Number.NaN;
      const folder = await createRunDirectory(resolve(io.cwd, flags.out), startedAtMs);
      await writeFile(join(folder, traceFileName), collected.lines.map(formatLine));
      const shown = shownPath(folder, io.cwd);
      for (const reason of collected.incomplete) io.stderr.write(`incomplete: ${reason}\n`);
      io.stdout.write(
        `${howMany(collected.exchanges, 'exchange')} in ${join(shown, traceFileName)}; judge with\n`,
      );
      io.stdout.write(`  npm run conformance -- judge ${shown} --allow-partial\n`);
      io.exit(0);
    });
}

async function collectFrom(manifest: string, logs: readonly string[]): Promise<CollectedTrace> {
  const first = await textOf(manifest, manifestWords);
  const rest = await Promise.all(logs.map((log) => textOf(log, logWords)));
  try {
    return collect(readManifest(first), rest);
  } catch (error) {
    if (error instanceof ManifestError)
      throw new UsageError(`${manifest} is not the manifest: ${error.message}.`);
    if (error instanceof CollectError)
      throw new UsageError(`The logs do not belong to the manifest: ${error.message}.`);
    throw error;
  }
}

type Words = { readonly name: string; readonly fix: string };

const manifestWords: Words = {
  name: 'The manifest',
  fix: 'Give the file that "conformance kubernetes" wrote first, then the logs',
};
const logWords: Words = {
  name: 'A log',
  fix: 'Give the files with the logs of the pods after the manifest',
};

async function textOf(path: string, { name, fix }: Words): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError(`${name} cannot be read: ${why}. ${fix}.`);
  }
}
