import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { setup } from './own-temporary-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const repository = join(import.meta.dirname, '..');

/** Runs some of the tests as `npm test` does, on a machine that has nothing but Node; what they said, as lines. */
async function onPoorMachine(files: readonly string[], temporary: string): Promise<readonly string[]> {
  const programs = await temporaryFolder();
  await symlink(process.execPath, join(programs, 'node'));
  const vitest = join(repository, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--project', 'unit', ...files];
  const env = { PATH: programs, TMPDIR: temporary, NO_COLOR: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository, env });
  return stdout.trimEnd().split('\n');
}

test('a run leaves nothing behind, and says in its last line what it left out', async () => {
  const temporary = await temporaryFolder();
  const lines = await onPoorMachine(
    ['service/store/redis-store.test.ts', 'run/record/run-directory.test.ts'],
    temporary,
  );
  expect(lines.at(-1)).toMatch(/^\d+ tests did not run: \d+ need Redis \(apt-get install redis-server\)\.$/);
  expect(lines.join('\n')).toMatch(/Test Files +1 passed \| 1 skipped/);
  expect(await readdir(temporary)).toEqual([]);
});

test('what tests leave in their temporary folder is removed, and an error that names it', async () => {
  const before = tmpdir();
  const tearDown = await setup();
  const own = tmpdir();
  try {
    expect(own).not.toBe(before);
    await mkdtemp(join(tmpdir(), 'forgotten-'));
    await mkdir(join(tmpdir(), 'node-compile-cache'));
  } finally {
    await expect(tearDown()).rejects.toThrow(
      /^The tests left this behind in their temporary folder: forgotten-\w+\. /,
    );
  }
  expect(tmpdir()).toBe(before);
  await expect(readdir(own)).rejects.toThrow('ENOENT');
});
