import { expect, test } from 'vitest';
import { playAll } from './pool.ts';
import { endOnThree, failOnThree, square, type Turn } from './testing/pool-work.ts';

const module = new URL('./testing/pool-work.ts', import.meta.url);
const batches = [1, 2, 3, 4, 5, 6].map((value): Turn => ({ value }));
const counted = { unit: 'turns', unitsIn: () => 2 };

function stream(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test.each([1, 3, 20])('results come in the order of the batches, with %i workers', async (workersMax) => {
  const { results, workers } = await playAll(
    { module, play: square, batches, ...counted },
    { stream: stream(false), workersMax },
  );
  expect(results).toEqual([1, 4, 9, 16, 25, 36]);
  expect(workers).toBe(Math.min(workersMax, batches.length));
});

test('progress is drawn on a terminal alone', async () => {
  const terminal = stream(true);
  const file = stream(false);
  for (const each of [terminal, file]) {
    await playAll({ module, play: square, batches, ...counted }, { stream: each, workersMax: 2 });
  }
  expect(terminal.written[0]).toMatch(/^\r2 of 12 turns, [\d.]+ a second, \d+ s left {2}$/);
  expect(terminal.written.slice(-2)).toEqual([expect.stringMatching(/^\r12 of 12 turns, /), '\n']);
  expect(file.written).toEqual([]);
});

test('a batch that fails is named, with the reason', async () => {
  const failing = playAll({ module, play: failOnThree, batches, ...counted }, { stream: stream(false) });
  await expect(failing).rejects.toThrow('the batch {"value":3} failed: three is too many');
});

test('a worker that ends is reported, with its exit code and what was being played', async () => {
  const ending = playAll(
    { module, play: endOnThree, batches, ...counted },
    { stream: stream(false), workersMax: 1 },
  );
  await expect(ending).rejects.toThrow(
    'a worker ended with exit code 7; these batches were being played: {"value":3}',
  );
});
