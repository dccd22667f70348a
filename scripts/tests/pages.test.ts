import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { bash } from '../testing/bash.ts';
import { inProcess } from '../testing/in-process.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  'README.md',
  ...(await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];
const textOf = (page: string): Promise<string> => readFile(join(root, page), 'utf8');

describe.each(pages)('%s', (page) => {
  it('links to files and headings that are there', async () => {
    const text = await textOf(page);
    const missing: string[] = [];
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [path = '', heading] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      const found = await stat(join(root, file)).catch(() => null);
      const isThere = heading === undefined || anchorsOf(await textOf(file).catch(() => '')).has(heading);
      if (found === null || !isThere) missing.push(target);
    }
    expect(missing).toEqual([]);
  });

  it('types commands with flags that they have', async () => {
    const cwd = await temporaryFolder();
    const wrong: string[] = [];
    for (const [line, words] of commandsIn(await textOf(page))) {
      const flags = [...words.matchAll(/(?<= )--[a-z][a-z-]*/g)].map(([flag]) => flag);
      const names = words.split(' ').filter((word) => /^[a-z]+(?:-[a-z]+)*$/.test(word));
      const { stdout } = await inProcess([...names.slice(0, 2), '--help'], cwd);
      wrong.push(...flags.filter((flag) => !stdout.includes(flag)).map((flag) => `${flag} in ${line}`));
    }
    expect(wrong).toEqual([]);
  });
});

/** The commands in indented blocks: the line, and the words after `--`. */
function commandsIn(text: string): readonly (readonly [string, string])[] {
  const typed = [...text.matchAll(/^ {4}npm (start|run conformance) -- ([^#\n]+)/gm)];
  return typed.map(([line, script, words = '']) => [
    line.trim(),
    script === 'start' ? `run ${words}` : words,
  ]);
}

/** The headings of a page as links name them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(['docs/settings.md', 'docs/backoff.md'])('the program of %s runs', async (page) => {
  const cwd = await temporaryFolder();
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(await textOf(page)) ?? [];
  expect(code).not.toBe('');
  await mkdir(join(cwd, 'node_modules'));
  await symlink(join(root, 'node_modules', 'undici'), join(cwd, 'node_modules', 'undici'));
  await writeFile(join(cwd, 'program.mts'), code.replaceAll("from './", `from '${root}/`));
  const { code: status, stderr } = await bash(`"${process.execPath}" program.mts`, { cwd, env: {} });
  expect([status, stderr]).toEqual([0, '']);
});

test('the settings of docs/settings.md are taken', async () => {
  const cwd = await temporaryFolder();
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(await textOf('docs/settings.md')) ?? [];
  await writeFile(join(cwd, 'conformance.config.ts'), code.replaceAll("from './", `from '${root}/`));
  const { code: status, stdout } = await inProcess(['plan', '--allow-host', 'api.example.test'], cwd);
  expect([status ?? 0, stdout]).toEqual([0, expect.stringContaining('https://api.example.test')]);
});

test('the picture of the README is small', async () => {
  expect((await stat(join(root, 'docs', 'report.png'))).size).toBeLessThan(100_000);
});
