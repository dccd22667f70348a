import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { followLines, lineSplitter } from './console-file.ts';

const folder = await temporaryFolder();

test('lines come while the file grows, and the rest at the end', async () => {
  const path = join(folder, 'growing');
  await writeFile(path, 'one\n');
  const lines: string[] = [];
  const first = Promise.withResolvers<void>();
  const file = await followLines(path, (line) => {
    lines.push(line);
    first.resolve();
  });
  await first.promise;
  await appendFile(path, 'two\nthr');
  await appendFile(path, 'ee\ncut off');
  await file.finish();
  expect(lines).toEqual(['one', 'two', 'three']);
});

test('a character that is cut in two is put together', () => {
  const lines: string[] = [];
  const split = lineSplitter((line) => lines.push(line));
  const bytes = Buffer.from('é\n\nü\n');
  for (const byte of bytes) split(Buffer.from([byte]));
  expect(lines).toEqual(['é', '', 'ü']);
});

test('a line without an end takes no memory without bound', () => {
  const lines: string[] = [];
  const split = lineSplitter((line) => lines.push(line));
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  for (let n = 0; n < 20; n += 1) split(megabyte);
  split(Buffer.from('\nnext\n'));
  expect(lines).toHaveLength(2);
  expect(lines[0]?.length).toBeLessThan(3 * 1024 * 1024);
  expect(lines[1]).toBe('next');
});
