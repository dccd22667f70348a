import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** A path below a room, as documents write it: in backticks, or as the target of a link; with `*` it stands for several. */
const paths =
  /[`(]((?:contract|limiters|judge|service|checks|load|backoff|reports|run|proof|scripts|bench|docs|documents|testing)\/[\w./*-]*)/g;

test.each([
  'README.md',
  'CONTRIBUTING.md',
  'docs/documents.md',
  'docs/hostile.md',
  'docs/image.md',
  'docs/load.md',
  'docs/kubernetes.md',
  'docs/backoff.md',
  'docs/commands.md',
  'docs/nightly.md',
  'docs/flakes.md',
  'docs/glossary.md',
  'docs/own-tests.md',
  'docs/package.md',
  'docs/proofs.md',
  'docs/settings.md',
  'docs/troubleshooting.md',
  'docs/webhooks.md',
  'docs/trace.md',
  'docs/transports.md',
  'docs/verdicts.md',
])('%s names no file that is not there', async (document) => {
  const text = await readFile(join(root, document), 'utf8');
  const named = [...text.matchAll(paths)].map(([, path = '']) => path);
  const missing: string[] = [];
  for (const path of new Set(named)) {
    if (!(await isThere(path.replace(/\/$/, '')))) missing.push(path);
  }
  expect(missing).toEqual([]);
});

async function isThere(pattern: string): Promise<boolean> {
  for await (const _found of glob(pattern, { cwd: root })) return true;
  return false;
}
