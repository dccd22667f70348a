import { access, constants, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { howMany } from '../../contract/quantities.ts';
import { messageOf } from '../../contract/thrown.ts';
import { traceTexts } from '../../contract/trace.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type CollectedTrace, collect } from '../../load/kubernetes/collect.ts';
import { ManifestError, readManifest } from '../../load/kubernetes/deployed.ts';
import { CollectError } from '../../load/kubernetes/log-rows.ts';
import { fileBytes } from '../../run/judge/file-rows.ts';
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
      const { trace, incomplete } = await collectFrom(
        resolve(io.cwd, manifest),
        logs.map((log) => resolve(io.cwd, log)),
      );
      const { header, exchanges } = trace;
      if (exchanges.length === 0) {
        throw new UsageError(
          'These logs hold no exchange: are they the logs of the runners (label runner=true)?',
        );
      }
      const folder = await createRunDirectory(resolve(io.cwd, flags.out), Date.parse(header.startedAt));
      await writeFile(join(folder, traceFileName), traceTexts(trace));
      const shown = shownPath(folder, io.cwd);
      for (const reason of incomplete) io.stderr.write(`incomplete: ${reason}\n`);
      io.stdout.write(
        `${howMany(exchanges.length, 'exchange')} in ${join(shown, traceFileName)}; judge with\n`,
      );
      io.stdout.write(`  npm run conformance -- judge ${shown} --allow-partial\n`);
      io.exit(0);
    });
}

async function collectFrom(manifest: string, logs: readonly string[]): Promise<CollectedTrace> {
  const text = await readFile(manifest, 'utf8').catch((error: unknown) => {
    throw unreadable(
      'The manifest',
      error,
      'Give the file that "conformance kubernetes" wrote first, then the logs',
    );
  });
  // Before any of them is read: that can take a while.
  await Promise.all(logs.map((log) => access(log, constants.R_OK))).catch((error: unknown) => {
    throw unreadableLog(error);
  });
  try {
    return collect(readManifest(text), logs.map(logBytes));
  } catch (error) {
    if (error instanceof ManifestError)
      throw new UsageError(`${manifest} is not the manifest: ${error.message}.`);
    if (error instanceof CollectError) throw new UsageError(`${error.message}.`);
    throw error;
  }
}

function* logBytes(path: string): Generator<Uint8Array> {
  try {
    yield* fileBytes(path);
  } catch (error) {
    throw unreadableLog(error);
  }
}

function unreadableLog(error: unknown): UsageError {
  return unreadable('A log', error, 'Give the files with the logs of the pods after the manifest');
}

function unreadable(what: string, error: unknown, fix: string): UsageError {
  return new UsageError(`${what} cannot be read: ${messageOf(error)}. ${fix}.`);
}
