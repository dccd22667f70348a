import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readKeysFile } from './keys-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'keys-file-test-'));

async function fileOf(text: string): Promise<string> {
  const path = join(folder, `keys-${Math.abs(text.length)}-${text.charCodeAt(0)}`);
  await writeFile(path, text);
  return path;
}

test('one key a line, empty lines skipped', async () => {
  expect(await readKeysFile(await fileOf('one\n\n two \r\nthree'), 2)).toEqual(['one', 'two', 'three']);
});

test.each([
  ['a secret key\n', /^Line 1 of \S+ is no API key: visible ASCII without spaces\.$/],
  ['same\nother\nsame\n', /^Line 3 of \S+ holds the same key as line 1\.$/],
  ['only-one\n', /holds 1 keys, and 2 are wanted: say how many with --keys 1, or add some\.$/],
])('%j is refused by line, without what it holds', async (text, says) => {
  const refused = readKeysFile(await fileOf(text), 2);
  await expect(refused).rejects.toThrow(says);
  await expect(refused).rejects.not.toThrow(/secret|same key as line 1.*same\b|only-one/);
});

test('a file that is not there', async () => {
  await expect(readKeysFile(join(folder, 'none'), 1)).rejects.toThrow(/cannot be read: .*--keys-file\.$/);
});
