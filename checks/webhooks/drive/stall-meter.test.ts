import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStallMeter } from './stall-meter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('only what exceeds a tick by another one is a stall, and it is counted once', () => {
  let clockMs = 0;
  const meter = openStallMeter(() => clockMs);
  const tick = (tookMs: number): void => {
    clockMs += tookMs;
    vi.advanceTimersByTime(20);
  };
  tick(20);
  tick(39);
  expect(meter.stalledMs()).toBe(0);
  tick(520);
  expect(meter.stalledMs()).toBe(500);
  tick(20);
  expect(meter.stalledMs()).toBe(500);
  meter.close();
});

test('a stall that has not ended in a tick yet counts as well', () => {
  let clockMs = 0;
  const meter = openStallMeter(() => clockMs);
  clockMs = 3_020;
  expect(meter.stalledMs()).toBe(3_000);
  vi.advanceTimersByTime(20);
  expect(meter.stalledMs()).toBe(3_000);
  meter.close();
});
