import { afterEach, expect, it, vi } from 'vitest';
import { underSteadyClock } from './steady-clock.ts';

afterEach(() => vi.restoreAllMocks());

/** From now on the wall clock is `byMs` ahead of what it was. */
function step(byMs: number): void {
  const real = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
}

it('is believed where no clock was stepped, whatever came of it', async () => {
  const run = vi.fn(() => Promise.reject(new Error('failed')));
  await expect(underSteadyClock(run)).rejects.toThrow('failed');
  expect(run).toHaveBeenCalledTimes(1);
});

it.each([20, -20])('is run again where the wall clock was stepped by %i ms', async (byMs) => {
  const run = vi.fn(() => Promise.resolve(run.mock.calls.length));
  run.mockImplementationOnce(() => {
    step(byMs);
    return Promise.reject(new Error('failed'));
  });
  expect(await underSteadyClock(run)).toBe(2);
});
