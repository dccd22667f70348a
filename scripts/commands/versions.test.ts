import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { CommandIo } from './command-io.ts';
import { showVersions } from './versions.ts';

const folder = await temporaryFolder();

async function shown(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  let text = '';
  const stdout = { write: (more: string) => (text += more) } as unknown as CommandIo['stdout'];
  await showVersions({ env: { PATH: folder, XDG_CACHE_HOME: folder, ...env }, stdout });
  return text.trim().split('\n');
}

it('says what made a report: program, Node, k6 and the schemas of its files', async () => {
  const k6 = join(folder, 'k6');
  await writeFile(k6, '#!/bin/sh\necho "k6 v2.9.9 (go1.26.0, linux/amd64)"\n');
  await chmod(k6, 0o755);
  const [tool, node, found, schemas] = await shown({ K6_BIN: k6 });
  expect(tool).toMatch(/^messaging-conformance \d+\.\d+\.\d+$/);
  expect(node).toContain(`node ${process.versions.node}`);
  expect(found).toBe(`k6 2.9.9, ${k6}`);
  expect(schemas).toMatch(/^schema of traces \d+, of reports \d+$/);
});

it('says why there is no k6, and builds none', async () => {
  expect((await shown({ K6_BIN: join(folder, 'nothing') }))[2]).toMatch(/^k6 none: K6_BIN is /);
  const go = join(folder, 'go');
  await writeFile(go, '#!/bin/sh\nexit 1\n');
  await chmod(go, 0o755);
  await writeFile(join(folder, 'k6'), '');
  expect((await shown({}))[2]).toBe('k6 none yet: the first run that needs it builds it');
});
