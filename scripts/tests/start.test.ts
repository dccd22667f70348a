import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const launcher = join(import.meta.dirname, '..', 'conformance.js');

type Ended = { readonly code: number | string | null; readonly stderr: string };

function startedBy(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? null), stderr });
    });
  });
}

/** The launcher alone, installed as a package whose sources are TypeScript. */
async function installed(main: string | null): Promise<string> {
  const folder = join(await temporaryFolder(), 'node_modules', 'installed', 'scripts');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '..', 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'compile-cache.js'), 'export const ownCompileCache = () => null;');
  await copyFile(join(launcher, '..', 'own-imports.js'), join(folder, 'own-imports.js'));
  if (main !== null) await writeFile(join(folder, 'main.ts'), main);
  const path = join(folder, 'conformance.js');
  await copyFile(launcher, path);
  return path;
}

describe('what keeps the command from starting ends in 4, since 1 says that a promise is broken', () => {
  it('is nothing that an old Node cannot read: a script without imports', async () => {
    const text = await readFile(launcher, 'utf8');
    expect(() => new Script(text)).not.toThrow();
  });

  it.each(['8.17.0', '20.20.2', '22.17.9'])('where Node is %s: says which it needs', async (version) => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
    const ended = await startedBy(['--import', `data:text/javascript,${older}`, launcher, '--version']);
    expect(ended.stderr).toContain('it needs 22.18 or newer');
    expect(ended.code).toBe(4);
  });

  it('where Node strips no types, as of sources inside node_modules', async () => {
    const ended = await startedBy([await installed('export const main: unknown = null;')]);
    expect(ended.stderr).toMatch(/^conformance: it cannot start with Node v\S+: Stripping types is/);
    expect(ended.code).toBe(4);
  });

  it('where a file or a package is missing', async () => {
    const ended = await startedBy([await installed(null)]);
    expect(ended.stderr).toMatch(/^conformance: it cannot start .*Cannot find module/);
    expect(ended.code).toBe(4);
  });
});
