import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runningTimer } from './running-timer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
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

test('a process that never comes to rest gives up after all', () => {
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
