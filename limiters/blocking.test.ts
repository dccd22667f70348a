import { expect, test } from 'vitest';
import { openBlocking } from './blocking.ts';
import { openSlidingLog } from './sliding-log.ts';

test('whoever is refused is refused until so long after that, whatever is asked meanwhile', () => {
  const window = openBlocking(openSlidingLog({ limit: 2, windowMs: 1_000 }), 5_000);
  expect(window.idleFromMs()).toBe(Number.NEGATIVE_INFINITY);
  const asked = [0, 500, 600, 1_600, 5_599, 5_600].map((ms) => window.decide(ms));
  expect(asked.map(({ admitted }) => admitted)).toEqual([true, true, false, false, false, true]);
  const refused = { admitted: false, remaining: 0, resetMs: 5_600 };
  expect(asked.slice(2, 5)).toEqual([5_000, 4_000, 1].map((retryAfterMs) => ({ ...refused, retryAfterMs })));
  expect(window.idleFromMs()).toBe(6_600);
});

test('a block is kept in mind as long as it lasts', () => {
  const window = openBlocking(openSlidingLog({ limit: 1, windowMs: 1_000 }), 5_000);
  for (const ms of [0, 1]) window.decide(ms);
  expect(window.idleFromMs()).toBe(5_001);
});
