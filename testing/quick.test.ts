import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { longest } from './longest.ts';

const root = join(import.meta.dirname, '..');

test('the quick part of the tests holds those of the judges, and hardly any that takes long', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const [program, command, ...args] = scripts['test:quick'].split(' ');
  expect([program, command]).toEqual(['vitest', 'run']);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const listed = await promisify(execFile)(process.execPath, [vitest, 'list', '--filesOnly', ...args], {
    cwd: root,
    env: { ...process.env, CONFORMANCE_CONFIG: '', NO_COLOR: '1' },
  });
  const files = listed.stdout.split('\n').flatMap((line) => /\S+\.test\.ts$/.exec(line) ?? []);
  expect(files).toContain('contract/outcome.test.ts');
  expect(files).toContain('judge/limits.test.ts');
  expect(files).toContain('judge/identify/identify.test.ts');
  expect(files).toContain('proof/simulation/saved-traces.test.ts');
  expect(files.filter((file) => !/^(contract|judge|proof\/simulation)\//.test(file))).toEqual([]);
  expect(files.filter((file) => longest.includes(file)).length).toBeLessThanOrEqual(2);
});
