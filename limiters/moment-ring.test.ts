import fc from 'fast-check';
import { expect, it } from 'vitest';
import { append, dropUntil, emptyRing, newestMs, oldestMs } from './moment-ring.ts';

const steps = fc.array(fc.record({ stepMs: fc.integer({ min: 0, max: 30 }), drops: fc.boolean() }), {
  maxLength: 200,
});

it('holds the last moments that were not dropped, whatever sizes it went through', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), steps, (capacity, history) => {
      const ring = emptyRing(capacity);
      let held: number[] = [];
      let nowMs = 0;
      for (const { stepMs, drops } of history) {
        nowMs += stepMs;
        if (drops) {
          dropUntil(ring, nowMs - 50);
          held = held.filter((momentMs) => momentMs > nowMs - 50);
        }
        append(ring, nowMs);
        held = [...held, nowMs].slice(-capacity);
        expect(ring.count).toBe(held.length);
        expect([oldestMs(ring), newestMs(ring)]).toEqual([held[0], held.at(-1)]);
      }
    }),
  );
});

it('takes room for what it holds, not for what it may hold, and gives it back', () => {
  const ring = emptyRing(1_000_000);
  expect(ring.atMs.length).toBeLessThanOrEqual(4);
  for (let momentMs = 1; momentMs <= 1_000; momentMs += 1) append(ring, momentMs);
  expect(ring.atMs.length).toBeLessThanOrEqual(2_000);
  dropUntil(ring, 995);
  expect([ring.count, oldestMs(ring), newestMs(ring)]).toEqual([5, 996, 1_000]);
  expect(ring.atMs.length).toBeLessThanOrEqual(16);
});
