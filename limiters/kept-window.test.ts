import { expect, it } from 'vitest';
import { keptWindow } from './kept-window.ts';
import { openWindow } from './limiter.ts';

it('ends at the fraction of a second at which it began, after the wall clock’s boundary', () => {
  const window = openWindow(keptWindow({ limit: 2, windowMs: 60_000 }));
  const asked = [50_700, 51_000, 59_900, 60_699, 60_700].map((ms) => window.decide(ms));
  expect(asked.map(({ admitted }) => admitted)).toEqual([true, true, false, false, true]);
  expect(asked[2]).toMatchObject({ remaining: 0, resetMs: 60_700, retryAfterMs: 800 });
});

it('begins with the first request after it, until the next boundary', () => {
  const window = openWindow(keptWindow({ limit: 1, windowMs: 60_000 }));
  expect([0, 150_250, 180_249, 180_250].map((ms) => window.decide(ms).admitted)).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
