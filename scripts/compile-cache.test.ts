import { chmod, lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { compileCacheFolder } from './compile-cache.js';
import { conformance } from './testing/command-line.ts';

const uid = process.getuid?.();

async function home() {
  const base = await temporaryFolder();
  return { base, env: { XDG_CACHE_HOME: base }, folder: join(base, 'messaging-conformance', 'compiled') };
}

const modeOf = async (path: string) => ((await lstat(path)).mode & 0o777).toString(8);

test('is made for its owner alone', async () => {
  const { env, folder, base } = await home();
  expect(compileCacheFolder({ env, uid })).toBe(folder);
  expect(await modeOf(folder)).toBe('700');
  expect(await modeOf(join(base, 'messaging-conformance'))).toBe('700');
});

test('is taken where it is there, and closed to those who could read it', async () => {
  const { env, folder } = await home();
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await chmod(folder, 0o755);
  expect(compileCacheFolder({ env, uid })).toBe(folder);
  expect(await modeOf(folder)).toBe('700');
});

test.each(['compiled', 'messaging-conformance', ''])(
  'is not taken where others could write into it: %j',
  async (part) => {
    const { env, folder, base } = await home();
    await mkdir(folder, { recursive: true });
    await chmod(part === 'compiled' ? folder : join(base, part), 0o777);
    expect(compileCacheFolder({ env, uid })).toBeNull();
  },
);

test('is not taken from another user, as a link or as a file', async () => {
  const { env, folder, base } = await home();
  await mkdir(folder, { recursive: true });
  expect(compileCacheFolder({ env, uid: (uid ?? 0) + 1 })).toBeNull();
  const linked = await home();
  await mkdir(join(linked.base, 'messaging-conformance'));
  await symlink(base, linked.folder);
  expect(compileCacheFolder({ env: linked.env, uid })).toBeNull();
  const filed = await home();
  await writeFile(join(filed.base, 'messaging-conformance'), '');
  expect(compileCacheFolder({ env: filed.env, uid })).toBeNull();
});

test('a command compiles into it, and leaves the shared folder alone', async () => {
  const { env, folder } = await home();
  const shared = await temporaryFolder();
  const cwd = await temporaryFolder();
  const { code } = await conformance(['--version'], { cwd, env: { ...env, TMPDIR: shared } });
  expect(code).toBe(0);
  expect(await readdir(folder)).not.toEqual([]);
  expect(await readdir(shared)).toEqual([]);
  expect(folder).toContain(tmpdir());
});

test('what judge has compiled, by other flags of V8, takes the place of nothing', async () => {
  const { env, folder } = await home();
  const cwd = await temporaryFolder();
  for (const args of [['--version'], ['judge', '--help']]) await conformance(args, { cwd, env });
  expect(await readdir(folder)).toHaveLength(2);
});
