import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendMany } from './send-many.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const until = (ms: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, ms - Date.now())));

async function sent(count: number, perSecond: number | null, latencyMs: number, abortAfterMs = 1e9) {
  const startMs = Date.now();
  const begunMs: number[] = [];
  let open = 0;
  let most = 0;
  let answered = 0;
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(), abortAfterMs);
  const sending = sendMany({
    items: Array.from({ length: count }, (_, at) => at),
    perSecond,
    send: async () => {
      begunMs.push(Date.now() - startMs);
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, latencyMs));
      open -= 1;
    },
    onAnswer: () => {
      answered += 1;
    },
    nowMs: () => Date.now(),
    until,
    signal: leaving.signal,
  });
  await vi.advanceTimersByTimeAsync(100_000);
  await sending;
  return { begunMs, most, answered };
}

test('without a rate each waits for the answer to the one before', async () => {
  expect(await sent(3, null, 100)).toEqual({ begunMs: [0, 100, 200], most: 1, answered: 3 });
});

test('with a rate nothing waits for an answer', async () => {
  expect(await sent(4, 10, 1_000)).toEqual({ begunMs: [0, 100, 200, 300], most: 4, answered: 4 });
});

test('no more than 256 are under way', async () => {
  const { most, answered } = await sent(600, 1_000, 10_000);
  expect([most, answered]).toEqual([256, 600]);
});

test('ends with the signal, once what is under way is answered', async () => {
  expect((await sent(100, 10, 500, 250)).answered).toBe(3);
});
