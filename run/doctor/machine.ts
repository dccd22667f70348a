import { constants } from 'node:fs';
import { access, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { codeOf, messageOf } from '../../contract/thrown.ts';

/** A folder that a run writes into. */
export type Folder = {
  readonly path: string;
  /** Why nothing can be written there; `null` where it can. */
  readonly problem: string | null;
  /** `null` where the system does not say. */
  readonly freeBytes: number | null;
};

/** What this machine has for a run. */
export type Machine = {
  readonly node: string;
  readonly temporary: Folder;
  /** Where runs are saved. */
  readonly out: Folder;
  /** How many files a process may have open; `null` where the system does not say. */
  readonly openFilesMax: number | null;
};

export async function lookAtMachine(out: string): Promise<Machine> {
  return {
    node: process.version,
    temporary: await temporaryFolder(),
    out: await folderFor(out),
    openFilesMax: await openFilesMax(),
  };
}

/** Writes a file as a run does, and takes it away again. */
async function temporaryFolder(): Promise<Folder> {
  const path = tmpdir();
  try {
    const folder = await mkdtemp(join(path, 'messaging-conformance-'));
    try {
      await writeFile(join(folder, 'k6.json'), '{}');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    return { path, problem: messageOf(error), freeBytes: null };
  }
  return { path, problem: null, freeBytes: await freeBytesOf(path) };
}

/** The folder, or that in which it would be made: nothing is made yet. */
async function folderFor(path: string): Promise<Folder> {
  for (let folder = path; ; folder = dirname(folder)) {
    const error = await access(folder, constants.W_OK | constants.X_OK).then(
      () => null,
      (error: unknown) => error,
    );
    if (error === null) return { path, problem: null, freeBytes: await freeBytesOf(folder) };
    const isMissing = codeOf(error) === 'ENOENT';
    if (!isMissing || folder === dirname(folder)) return { path, problem: messageOf(error), freeBytes: null };
  }
}

async function freeBytesOf(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** The soft limit of this process, which k6 inherits. Only Linux says it. */
async function openFilesMax(): Promise<number | null> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  return soft === undefined ? null : Number(soft);
}
