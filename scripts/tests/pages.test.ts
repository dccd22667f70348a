import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { driveCases } from '../../contract/webhooks/drive/registry.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
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
});

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

test('docs/commands.md says how many cases a receiver is sent', async () => {
  expect(await textOf('docs/commands.md')).toContain(`sends ${driveCases.length} cases to your receiver`);
});

test('the picture of the README is small', async () => {
  expect((await stat(join(root, 'docs', 'report.png'))).size).toBeLessThan(100_000);
});

test('the badge of the README says what is judged of the run whose page stands below it', async () => {
  const cwd = await temporaryFolder();
  const trace = join(root, 'judge', 'testdata', 'fixed-window-first-request.ndjson');
  await inProcess(['judge', trace, '--out', 'judged', '--no-baseline'], cwd);
  const { code } = await inProcess(['report', '--runs', 'judged', '--no-history', '--badge', 'own.svg'], cwd);
  expect([code, await readFile(join(cwd, 'own.svg'), 'utf8')]).toEqual([0, await textOf('docs/badge.svg')]);
});
