import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const keeper = pathToFileURL(join(import.meta.dirname, 'small-heap.ts')).href;

/** The most that the heap takes of a program that holds a million objects, and makes lists of them again and again. */
async function mostMegabytes(prepare: string): Promise<number> {
  const program = `${prepare}
    const held = Array.from({ length: 1e6 }, (_, at) => ({ at, next: null }));
    let [most, sum] = [0, 0];
    for (let round = 0; round < 60; round += 1) {
      sum += held.filter(({ at }) => at % 2 === round % 2).length;
      most = Math.max(most, process.memoryUsage().heapTotal);
    }
    console.log(sum > 0 ? most / 1e6 : 0);`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe('');
  return Number(stdout);
}

test('a heap that is to be kept small takes less', async () => {
  const small = await mostMegabytes(`(await import(${JSON.stringify(keeper)})).keepHeapSmall();`);
  expect(small).toBeGreaterThan(0);
  expect(small).toBeLessThan(0.8 * (await mostMegabytes('')));
}, 120_000);
