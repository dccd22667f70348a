import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { writeLongTrace } from './long-trace.ts';

/** The exchanges alone take half as much again where each is an object. */
const [exchanges, heapMegabytesMax] = [30_000, 30];

test('the verdicts on a long run take less memory than its exchanges would as objects', async () => {
  const path = join(await temporaryFolder(), 'trace.ndjson');
  writeLongTrace(path, exchanges);
  const heap = `--max-old-space-size=${heapMegabytesMax}`;
  const child = join(import.meta.dirname, 'judging.ts');
  const judged = await promisify(execFile)(process.execPath, [heap, child, 'verdicts', path]);
  expect(judged.stderr).toBe('');
}, 300_000);
