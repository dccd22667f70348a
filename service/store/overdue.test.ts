import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { overdueAfter } from './overdue.ts';

describe('what is overdue', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is told once, at its own moment, and ends late', () => {
    const told: [string, number][] = [];
    const overdue = overdueAfter<string>(1_000, (value) => told.push([value, performance.now()]));
    const startMs = performance.now();
    const first = overdue.begin('first');
    vi.advanceTimersByTime(300);
    const second = overdue.begin('second');
    const third = overdue.begin('third');
    vi.advanceTimersByTime(100);
    expect(overdue.end(second)).toBe(true);
    vi.advanceTimersByTime(599);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(5_000);
    expect(told).toEqual([
      ['first', startMs + 1_000],
      ['third', startMs + 1_300],
    ]);
    expect([first, third].map((one) => overdue.end(one))).toEqual([false, false]);
  });

  it('goes on after a time in which nothing was waited for', () => {
    const told: string[] = [];
    const overdue = overdueAfter<string>(1_000, (value) => told.push(value));
    for (let round = 0; round < 3; round += 1) {
      expect(overdue.end(overdue.begin(`in time ${round}`))).toBe(true);
      overdue.begin(`late ${round}`);
      vi.advanceTimersByTime(10_000);
    }
    expect(told).toEqual(['late 0', 'late 1', 'late 2']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
