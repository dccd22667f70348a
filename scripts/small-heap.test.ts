import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const keeper = pathToFileURL(join(import.meta.dirname, 'small-heap.ts')).href;

/** What a program says that keeps its heap small, and does `more`. V8 complains of flags that it does not know. */
async function saidBy(more: string): Promise<string> {
  const program = `(await import(${JSON.stringify(keeper)})).keepHeapSmall(); ${more}`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  return stderr;
}

test('this version of V8 knows all that keeps a heap small', async () => {
  expect(await saidBy('')).toBe('');
  const unknown = "process.getBuiltinModule('node:v8').setFlagsFromString('--no-such-flag=1');";
  expect(await saidBy(unknown)).toContain('no-such-flag');
});
