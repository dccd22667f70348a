import { expect, test } from 'vitest';
import { eventQueue } from './event-queue.ts';

test('events leave by their time, and those of one time in the order in which they came', () => {
  const queue = eventQueue<string>();
  const times = [5, 1, 5, 3, 1, 5, 1, 3, 5, 1];
  for (const [at, timeMs] of times.entries()) queue.push(timeMs, `${timeMs} as number ${at}`);
  const left: string[] = [];
  for (let next = queue.pop(); next !== null; next = queue.pop()) left.push(next.event);
  expect(left).toEqual([
    '1 as number 1',
    '1 as number 4',
    '1 as number 6',
    '1 as number 9',
    '3 as number 3',
    '3 as number 7',
    '5 as number 0',
    '5 as number 2',
    '5 as number 5',
    '5 as number 8',
  ]);
  expect(queue.pop()).toBeNull();
});
