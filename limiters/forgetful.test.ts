import { expect, it } from 'vitest';
import { openForgetful } from './forgetful.ts';
import { openWindow } from './limiter.ts';
import { slidingLog } from './sliding-log.ts';

it('begins anew after a pause that it forgets all by, and a refused request ends a pause too', () => {
  const open = () => openWindow(slidingLog({ limit: 2, windowMs: 1_000 }));
  const window = openForgetful(open, (nowMs, previousMs) => nowMs - previousMs >= 300);
  expect(window.idleFromMs()).toBe(Number.NEGATIVE_INFINITY);
  const admitted = [0, 10, 250, 500, 800, 1_099, 1_101].map((ms) => window.decide(ms).admitted);
  expect(admitted).toEqual([true, true, false, false, true, true, false]);
  expect(window.idleFromMs()).toBe(2_099);
  expect(window.decide(2_000, 3).admitted).toBe(false);
});
