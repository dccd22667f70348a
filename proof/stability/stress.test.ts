import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const program = fileURLToPath(new URL('../proof.ts', import.meta.url));
const patience = { timeout: 30_000 };

it('ends stress-ng when the command is asked to end', async () => {
  const folder = await temporaryFolder();
  const pidFile = join(folder, 'pid');
  // The file is whole once it is there: the test may look at any moment.
  const standIn = `#!/bin/sh\necho $$ > ${pidFile}.part && mv ${pidFile}.part ${pidFile}\nexec sleep 60\n`;
  await writeFile(join(folder, 'stress-ng'), standIn, { mode: 0o755 });
  const args = [program, 'stability', '--runs', '2', '--stress', '1', '--no-load'];
  const command = spawn(process.execPath, args, {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}`, TMPDIR: folder },
  });
  const ended = once(command, 'exit');
  await expect.poll(() => readFile(pidFile, 'utf8'), patience).toMatch(/^\d+\n$/u);
  const stressPid = Number(await readFile(pidFile, 'utf8'));
  command.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  await expect.poll(() => isThere(stressPid), patience).toBe(false);
}, 70_000);

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
