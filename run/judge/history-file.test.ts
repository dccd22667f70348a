import { spawn } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { historyLineOf } from '../../reports/history/history-line.ts';
import { reportOf } from '../../reports/testing/fixtures.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { appendHistory, readHistory } from './history-file.ts';

const line = historyLineOf(reportOf());

it('keeps every line whole when several processes add theirs at once', async () => {
  const path = join(await temporaryFolder(), 'history.ndjson');
  const each = 200;
  const module = JSON.stringify(new URL('./history-file.ts', import.meta.url).href);
  const script = `const { appendHistory } = await import(${module});
    for (let at = 0; at < ${each}; at += 1) appendHistory(process.argv[1], ${JSON.stringify(line)});`;
  const codes = await Promise.all(
    [1, 2, 3].map(
      () =>
        new Promise((resolve, reject) => {
          const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
            stdio: 'ignore',
          });
          child.once('error', reject).once('close', resolve);
        }),
    ),
  );
  expect(codes).toEqual([0, 0, 0]);
  const { lines, unreadable } = await readHistory(path);
  expect([lines.length, unreadable]).toEqual([3 * each, 0]);
});

it('begins a new line after one that a crash cut off, and loses neither run', async () => {
  const path = join(await temporaryFolder(), 'reports', 'history.ndjson');
  appendHistory(path, line);
  await appendFile(path, '{"schemaVersion":1,"runId":"to');
  appendHistory(path, line);
  expect(await readHistory(path)).toEqual({ lines: [line, line], unreadable: 1 });
  expect((await readFile(path, 'utf8')).endsWith('}\n')).toBe(true);
});

it('is empty where there is no file yet, and says what is wrong where there is a folder', async () => {
  const folder = await temporaryFolder();
  expect(await readHistory(join(folder, 'none.ndjson'))).toEqual({ lines: [], unreadable: 0 });
  await expect(readHistory(folder)).rejects.toThrow('--history');
  expect(() => appendHistory(folder, line)).toThrow('--no-history');
});
