import { expect, onTestFinished, test, vi } from 'vitest';
import { inTurn } from './in-turn.ts';

test('a few go on at once, and the results keep their order', async () => {
  let underway = 0;
  let most = 0;
  const results = await inTurn([5, 1, 4, 2, 3], {
    atOnce: 2,
    play: async (one) => {
      underway += 1;
      most = Math.max(most, underway);
      for (let turn = 0; turn < one; turn += 1) await Promise.resolve();
      underway -= 1;
      return one * 10;
    },
  });
  expect([results, most]).toEqual([[50, 10, 40, 20, 30], 2]);
});

test('begins are apart where that is wanted', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const begunMs: number[] = [];
  const zeroMs = Date.now();
  const playing = inTurn([1, 2, 3], {
    atOnce: 3,
    apartMs: 1_000,
    play: () => Promise.resolve(begunMs.push(Date.now() - zeroMs)),
  });
  await vi.runAllTimersAsync();
  await playing;
  expect(begunMs).toEqual([0, 1_000, 2_000]);
});

test('what is stopped ends what goes on, and begins no more', async () => {
  const stop = new AbortController();
  const results = await inTurn([1, 2, 3], {
    atOnce: 1,
    signal: stop.signal,
    play: async (one) => {
      if (one === 2) stop.abort();
      return one;
    },
  });
  expect(results).toEqual([1, 2]);
});

test('what fails ends all of it', async () => {
  const failing = inTurn([1, 2], { atOnce: 1, play: (one) => Promise.reject(new Error(`no ${one}`)) });
  await expect(failing).rejects.toThrow('no 1');
});
