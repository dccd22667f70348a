import { spawn } from 'node:child_process';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as passed } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { needing } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type ChildOptions, runChild } from './child.ts';
import { canTie } from './tied-command.ts';

const parent = await temporaryFolder();
const shell = { command: '/bin/sh', cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 60_000 };

/** Waits until something is so; no test is as slow as this. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let waits = 0; waits < 600; waits += 1) {
    if (await isSo()) return;
    await passed(50);
  }
  throw new Error('it never was so');
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A process of Node that runs a tied child for ten minutes. The child writes its number into `pid`. */
function startSuite(folder: string, pidFile: string) {
  const options: ChildOptions = {
    ...shell,
    args: ['-c', `echo $$ > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'; exec sleep 600`],
    timeoutMs: 700_000,
    tiedFolder: folder,
  };
  const module = join(import.meta.dirname, 'child.ts');
  const code = `import { runChild } from ${JSON.stringify(module)}; await runChild(${JSON.stringify(options)});`;
  return spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'ignore' });
}

test(
  'a suite that is killed takes its child and the folder with the keys along',
  needing('linux', canTie),
  async () => {
    const folder = join(parent, 'keys of a run');
    await mkdir(folder);
    await writeFile(join(folder, 'keys'), 'canary');
    const pidFile = join(parent, 'pid');
    const suite = startSuite(folder, pidFile);
    await until(() => isThere(pidFile));
    const pid = Number(await readFile(pidFile, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    suite.kill('SIGKILL');
    await until(async () => !isAlive(pid) && !(await isThere(folder)));
  },
);

test('a child that ends by itself keeps its status, its output and its folder', async () => {
  const folder = join(parent, 'kept');
  await mkdir(folder);
  const lines: string[] = [];
  const end = await runChild({
    ...shell,
    args: ['-c', 'echo "$1"; exit 7', 'sh', "it's here"],
    tiedFolder: folder,
    onLine: (line) => lines.push(line),
  });
  expect([end, lines]).toEqual([{ kind: 'exited', code: 7 }, ["it's here"]]);
  expect(await isThere(folder)).toBe(true);
});

test('an abort and a time-out reach the child itself', async () => {
  const tied = { ...shell, tiedFolder: join(parent, 'none') };
  const late = await runChild({ ...tied, args: ['-c', 'exec sleep 60'], timeoutMs: 1 });
  expect(late).toEqual({ kind: 'stopped', why: 'time-out' });
  const abort = new AbortController();
  const deaf = await runChild({
    ...tied,
    args: ['-c', 'trap "" INT; echo ready; sleep 60; sleep 60'],
    signal: abort.signal,
    onLine: () => abort.abort(),
  });
  expect(deaf).toEqual({ kind: 'stopped', why: 'aborted' });
});

test('a child that is killed is reported as killed', async () => {
  const end = await runChild({ ...shell, args: ['-c', 'kill -9 $$'], tiedFolder: join(parent, 'none') });
  expect(end).toEqual({ kind: 'killed', by: 'SIGKILL' });
});

test('a program that is not there is not started', async () => {
  const end = await runChild({ ...shell, command: '/no/such/program', args: [], tiedFolder: parent });
  expect(end).toMatchObject({ kind: 'not-started', reason: expect.stringContaining('ENOENT') });
});
