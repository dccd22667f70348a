import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** What starts a program of this project where the project lies. */
const startsHere =
  /\bcwd: root\b[\s\S]*(?:vitest\.mjs|nightly\.sh|conformance\.ts)|(?:vitest\.mjs|nightly\.sh|conformance\.ts)[\s\S]*\bcwd: root\b/;

test('no test takes the settings that somebody keeps in this folder', async () => {
  const careless: string[] = [];
  let seen = 0;
  for await (const path of glob('{scripts,run,proof,checks,load,testing}/**/*.ts', { cwd: root })) {
    if (!/\.test\.ts$|\/testing\//.test(path) || path === 'testing/own-settings.test.ts') continue;
    const text = await readFile(join(root, path), 'utf8');
    if (!startsHere.test(text)) continue;
    seen += 1;
    if (!text.includes('CONFORMANCE_CONFIG:')) careless.push(path);
  }
  expect(seen).toBeGreaterThan(1);
  expect(careless).toEqual([]);
});
