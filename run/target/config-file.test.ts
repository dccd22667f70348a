import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { loadConfigFile } from './config-file.ts';

const settings = (name: string) => `export default { name: '${name}' };`;

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

async function nameIn(cwd: string, named?: string): Promise<unknown> {
  return (await loadConfigFile({ named, cwd }))?.input['name'];
}

it('finds the settings of a folder by either name, and the usual one first', async () => {
  const usual = { 'conformance.config.ts': settings('usual'), 'package.json': '{ "type": "module" }' };
  const other = { 'conformance.config.mts': settings('other') };
  expect(await nameIn(await folderOf(usual))).toBe('usual');
  expect(await nameIn(await folderOf({ ...usual, ...other }))).toBe('usual');
  expect(await nameIn(await folderOf({ ...other, 'package.json': '{ "type": "commonjs" }' }))).toBe('other');
  expect(await nameIn(await folderOf({ ...usual, 'mine.ts': settings('mine') }), 'mine.ts')).toBe('mine');
  expect(await loadConfigFile({ named: undefined, cwd: await folderOf({}) })).toBeNull();
});

it('says what name a file needs in a package of CommonJS', async () => {
  const cwd = await folderOf({
    'conformance.config.ts': `import 'node:path';\n${settings('x')}`,
    'package.json': '{ "type": "commonjs" }',
  });
  await expect(nameIn(cwd)).rejects.toThrow('it is CommonJS: call it conformance.config.mts');
});
