import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStallMeter, runningTimer } from './stalls.ts';

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

test('what the process did not run is waited for, once', () => {
  let stalledMs = 0;
  const onEnd = vi.fn();
  runningTimer({ timeoutMs: 1_000, stalledMs: () => stalledMs, onEnd });
  stalledMs = 300;
  vi.advanceTimersByTime(1_000);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(299);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

test('a process that is always busy gives up in the end', () => {
  let stalledMs = 0;
  const onEnd = vi.fn();
  const stalled = (): number => {
    stalledMs += 100;
    return stalledMs;
  };
  runningTimer({ timeoutMs: 1_000, stalledMs: stalled, onEnd });
  vi.advanceTimersByTime(3_000);
  expect(onEnd).toHaveBeenCalledOnce();
});

test('a timer that is stopped never calls, not even while it waits on', () => {
  const onEnd = vi.fn();
  const stop = runningTimer({ timeoutMs: 1_000, stalledMs: () => 500, onEnd });
  vi.advanceTimersByTime(1_200);
  stop();
  vi.advanceTimersByTime(10_000);
  expect(onEnd).not.toHaveBeenCalled();
});
