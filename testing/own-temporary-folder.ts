import { rmSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** The cache of compiled modules, npm's and that of the commands: it is there for the next one, nobody removes it. */
const cache = 'node-compile-cache';

/**
 * Vitest's global set-up: the tests, and all that they start, have a temporary folder of their own, so that nothing of
 * theirs stays on the machine, however they end. What is still in it after tests that passed is an error all the same:
 * a test, or what it tests, does not clean up.
 */
export async function setup(): Promise<() => Promise<void>> {
  const { TMPDIR: before } = process.env;
  // Short, for the name of a socket has at most 107 bytes.
  const folder = await mkdtemp(join(tmpdir(), 'tests-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.env['TMPDIR'] = folder;
  // Where Vitest is ended by a signal nothing else runs.
  process.once('exit', remove);
  return async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    const left = (await readdir(folder)).filter((name) => name !== cache);
    remove();
    process.off('exit', remove);
    const havePassed = (process.exitCode ?? 0) === 0;
    if (left.length > 0 && havePassed) throw new Error(leftText(left));
  };
}

function leftText(names: readonly string[]): string {
  return `The tests left this behind in their temporary folder: ${names.join(', ')}. testing/temporary-folder.ts makes folders that are removed.`;
}
