import process from 'node:process';
import { expect, test } from 'vitest';
import { needing } from '../../testing/needs.ts';
import { runChild } from './child.ts';

const shell = { command: '/bin/sh', cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 60_000 };

test('reports the exit status and both outputs', async () => {
  const lines: string[] = [];
  const end = await runChild({
    ...shell,
    args: ['-c', 'echo one; echo two >&2; exit 7'],
    onLine: (line, from) => lines.push(`${from} ${line}`),
  });
  expect(end).toEqual({ kind: 'exited', code: 7 });
  expect(lines.toSorted()).toEqual(['stderr two', 'stdout one']);
});

test('a line may end as in other systems, or not at all, and one that never ends is kept to a bound', async () => {
  const lines: string[] = [];
  const args = [
    '-c',
    `printf 'one\\r\\n\\ntwo\\n'; head -c 3000000 /dev/zero | tr '\\0' x; printf '\\nlast'`,
  ];
  await runChild({ ...shell, args, onLine: (line) => lines.push(line) });
  expect(lines.map((line) => line.replace(/^x+$/, 'long'))).toEqual(['one', '', 'two', 'long', 'last']);
  expect(lines[3]?.length).toBeLessThan(100_000);
});

test('the environment is the one given and no other', async () => {
  const lines: string[] = [];
  const env = { PATH: '/usr/bin:/bin', GIVEN: 'yes' };
  await runChild({ ...shell, env, args: ['-c', 'env'], onLine: (line) => lines.push(line) });
  expect(lines).toContain('GIVEN=yes');
  expect(lines.filter((line) => line.startsWith('HOME='))).toEqual([]);
});

test('a program that is not there, or not to be started, is an end like others', async () => {
  const missing = await runChild({ ...shell, command: '/no/such/program', args: [] });
  expect(missing).toMatchObject({ kind: 'not-started', reason: expect.stringContaining('ENOENT') });
  const thrown = await runChild({ ...shell, args: ['nul\0byte'] });
  expect(thrown).toMatchObject({ kind: 'not-started' });
});

test('a child that takes too long is ended', async () => {
  const end = await runChild({ ...shell, args: ['-c', 'exec sleep 60'], timeoutMs: 1 });
  expect(end).toEqual({ kind: 'stopped', why: 'time-out' });
});

test('a child may take longer than a timer of Node goes', async () => {
  const end = await runChild({ ...shell, args: ['-c', 'sleep 0.3; exit 7'], timeoutMs: 3_000_000_000 });
  expect(end).toEqual({ kind: 'exited', code: 7 });
});

test('a child that will not end is killed, and its own children with it', { timeout: 30_000 }, async () => {
  const abort = new AbortController();
  const end = await runChild({
    ...shell,
    args: ['-c', 'trap "" INT; echo ready; sleep 60; sleep 60'],
    signal: abort.signal,
    onLine: () => abort.abort(),
  });
  expect(end).toEqual({ kind: 'stopped', why: 'aborted' });
});

test('nothing is started for somebody who has gone', async () => {
  const end = await runChild({ ...shell, args: ['-c', 'exit 7'], signal: AbortSignal.abort() });
  expect(end).toEqual({ kind: 'stopped', why: 'aborted' });
});

test(
  'a child that takes too much memory is killed',
  needing('linux', process.platform === 'linux'),
  async () => {
    const end = await runChild({ ...shell, args: ['-c', 'exec sleep 60'], memoryBytesMax: 1 });
    expect(end).toEqual({ kind: 'stopped', why: 'memory' });
  },
);
