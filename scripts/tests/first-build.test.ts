import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { k6Version } from '../../load/runner/find-k6.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance } from '../testing/command-line.ts';
import { startReference } from '../testing/reference.ts';

/** A folder with a Go that "builds" a k6 which only says its version. */
async function folderWithGo(): Promise<string> {
  const folder = join(await temporaryFolder(), 'bin');
  await mkdir(folder);
  const lines = [
    '#!/bin/sh',
    'PATH=/usr/bin:/bin',
    'if [ "$1" = list ]; then echo example.test/a; exit 0; fi',
    'while [ "$1" != -o ]; do shift; done',
    'echo example.test/a',
    `printf '#!/bin/sh\\necho "k6 v${k6Version}"\\n[ "$1" = version ]\\n' > "$2"`,
    'chmod 755 "$2"',
  ];
  await writeFile(join(folder, 'go'), `${lines.join('\n')}\n`);
  await chmod(join(folder, 'go'), 0o755);
  return folder;
}

test('what needs no k6 is done before one is built, and a run that stops builds none', async () => {
  const cwd = await temporaryFolder();
  const { service, env, flags } = await startReference({ windowSeconds: 2 });
  const own = { ...env, PATH: await folderWithGo(), XDG_CACHE_HOME: join(cwd, 'cache') };
  const wrong = await conformance(flags, { cwd, env: { ...own, KEY_B: 'another-key-of-a-test' } });
  expect(wrong.stdout).toContain('answered 401 to key B');
  expect(wrong.stdout).not.toContain('building k6');
  const { stdout } = await conformance(flags, { cwd, env: own });
  await service.close();
  const at = (text: string): number => {
    expect(stdout).toContain(text);
    return stdout.indexOf(text);
  };
  const inOrder = [
    at('none yet: it is built once the rest is done'),
    at('filling the window up to its limit'),
    at('filling the emptied window again'),
    at(`building k6 v${k6Version}, this once: 1 packages to compile`),
    at(`v${k6Version} (built)`),
    at('sending'),
  ];
  expect(inOrder).toEqual(inOrder.toSorted((left, right) => left - right));
});
