import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { takeLock } from './process-lock.ts';

const lockIn = async () => {
  const folder = await temporaryFolder();
  return { path: join(folder, 'lock'), files: () => readdirSync(folder) };
};

test('a lock is taken once, and its file is all that is left', async () => {
  const { path, files } = await lockIn();
  expect(takeLock(path)).toBeNull();
  expect(takeLock(path)).toMatchObject({ pid: process.pid });
  expect(files()).toEqual(['lock']);
});

test.each([
  '',
  'x',
  '{}',
  '7',
  JSON.stringify({ pid: 1, began: 'another boot', at: '2026-01-01T00:00:00.000Z' }),
])('that of nobody, %j, is taken over', async (text) => {
  const { path, files } = await lockIn();
  writeFileSync(path, text);
  expect(takeLock(path)).toBeNull();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
  expect(files()).toEqual(['lock']);
});

test('one who died while removing another one’s is in nobody’s way', async () => {
  const { path, files } = await lockIn();
  writeFileSync(path, 'stale');
  writeFileSync(`${path}.removing`, 'stale');
  expect(takeLock(path)).toBeNull();
  expect(files()).toEqual(['lock']);
});

test('of many processes that want it at the same moment, one alone has it', async () => {
  const { path, files } = await lockIn();
  writeFileSync(path, 'of a process that is gone');
  const program = `
    import { takeLock } from '${join(import.meta.dirname, 'process-lock.ts')}';
    process.stdin.once('data', () => {
      let has = false;
      try { has = takeLock('${path}') === null; } catch {}
      process.stdout.write(has ? 'one' : 'none');
      process.stdin.once('end', () => process.exit());
    });
    process.stdout.write('ready ');`;
  const children = Array.from({ length: 8 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const said = children.map(() => '');
  const all = (pattern: RegExp) =>
    expect.poll(() => said.filter((text) => pattern.test(text)).length, { timeout: 30_000 }).toBe(8);
  children.forEach((child, at) => {
    child.stdout.on('data', (text: Buffer) => {
      said[at] += text.toString();
    });
  });
  await all(/ready/);
  for (const child of children) child.stdin.write('go');
  await all(/one/);
  for (const child of children) child.stdin.end();
  expect(said.filter((text) => text === 'ready one')).toHaveLength(1);
  expect(files()).toEqual(['lock']);
});
