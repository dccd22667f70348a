import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const root = join(import.meta.dirname, '..');

/** What a program prints whose imports are shortened. */
function printed(program: string): string {
  const shortened = `import { shortenImports } from '${pathToFileURL(join(import.meta.dirname, 'own-imports.js'))}';
shortenImports();
${program}`;
  const args = ['--input-type=module', '--eval', shortened];
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).trim();
}

const ours = pathToFileURL(join(root, 'judge', 'judge-trace.ts')).href;

test('zod speaks the one language that its messages are wanted in', () => {
  const said = printed(`const { z } = await import('zod');
console.log(z.string().safeParse(1).error.issues[0].message, Object.keys(z.locales).join());`);
  expect(said).toBe('Invalid input: expected string, received number default');
});

test('each source is loaded once, whoever imports it', () => {
  const said = printed(`const [one, other] = await Promise.all([import('${ours}'), import('${ours}')]);
const { judgeTrace } = await import('./judge/judge-trace.ts');
console.log(one === other, judgeTrace === one.judgeTrace);`);
  expect(said).toBe('true true');
});

test('what is not ours is looked for as ever', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'settings.ts');
  await writeFile(file, `export * from './missing.ts';`);
  const said = printed(`await import('${pathToFileURL(file)}').catch(({ code }) => console.log(code));`);
  expect(said).toBe('ERR_MODULE_NOT_FOUND');
});
