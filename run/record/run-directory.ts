import { mkdirSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';

/** Runs of the same second get a number. More than this many in one second are a mistake in a loop. */
const runsPerSecondMax = 100;

/**
 * A new folder for one run, named by its UTC time; an existing one is never used again.
 * @throws {UsageError} where it cannot be made.
 */
export async function createRunDirectory(parent: string, startedAtMs: number): Promise<string> {
  const name = new Date(startedAtMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  try {
    makeFolder(parent);
    for (let n = 1; n <= runsPerSecondMax; n += 1) {
      const path = join(parent, n === 1 ? name : `${name}-${n}`);
      if (await made(path)) return path;
    }
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError(`The folder for this run cannot be made: ${why}. Choose another place with --out.`);
  }
  throw new UsageError(
    `There are ${runsPerSecondMax} runs of this second in ${parent}. Choose another place with --out.`,
  );
}

/**
 * The same for as long as something is written there: a folder that stayed empty, as that of a run that never began to
 * send does, is taken away again.
 * @throws {UsageError} where it cannot be made.
 */
export async function inRunDirectory<Result>(
  parent: string,
  startedAtMs: number,
  act: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await createRunDirectory(parent, startedAtMs);
  try {
    return await act(directory);
  } finally {
    // Only an empty one can be removed.
    await rmdir(directory).catch(() => undefined);
  }
}

async function made(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Makes a folder and those that it lies in, where they are not there yet. Node's own recursive `mkdir` does not end where
 * a folder that exists answers ENOENT, as /proc does.
 * @throws where one cannot be made, with the system's reason.
 */
export function makeFolder(path: string): void {
  if (madeFolder(path) !== 'no-parent') return;
  makeFolder(dirname(path));
  if (madeFolder(path) === 'no-parent') throw new Error(`${dirname(path)} takes no folder`);
}

function madeFolder(path: string): 'there' | 'no-parent' {
  try {
    mkdirSync(path);
    return 'there';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return 'there';
    if (code === 'ENOENT' && dirname(path) !== path) return 'no-parent';
    throw error;
  }
}
