import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decision, openWindow, type Rate } from './limiter.ts';
import { openSlidingLog, slidingLog } from './sliding-log.ts';
import { epochMs, moments, rates } from './testing/histories.ts';

/** The document's rule, as plainly as it can be written. */
function reference({ limit, windowMs }: Rate) {
  let admittedMs: readonly number[] = [];
  return (nowMs: number): Decision => {
    admittedMs = admittedMs.filter((atMs) => atMs > nowMs - windowMs);
    const admitted = admittedMs.length < limit;
    if (admitted) admittedMs = [...admittedMs, nowMs];
    const remaining = limit - admittedMs.length;
    const resetMs = Math.min(...admittedMs) + windowMs;
    return { admitted, remaining, resetMs, retryAfterMs: remaining > 0 ? 0 : resetMs - nowMs };
  };
}

/** An open window after the given requests. */
function windowAfter(rate: Rate, seenMs: readonly number[]) {
  const window = openWindow(slidingLog(rate));
  for (const nowMs of seenMs) window.decide(nowMs);
  return window;
}

describe('sliding log', () => {
  it('decides as the plain rule does, in every field', () => {
    fc.assert(
      fc.property(rates, moments, (rate, requestsMs) => {
        const window = openWindow(slidingLog(rate));
        const plain = reference(rate);
        for (const nowMs of requestsMs) expect(window.decide(nowMs)).toEqual(plain(nowMs));
      }),
    );
  });

  it('decides as one object as its limiter does, whatever requests cost', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 80, maxLength: 80 });
    fc.assert(
      fc.property(rates, moments, costs, (rate, requestsMs, costOf) => {
        const limiter = slidingLog(rate);
        const log = limiter.start();
        const opened = openSlidingLog(rate);
        for (const [at, nowMs] of requestsMs.entries()) {
          const cost = costOf[at];
          expect(opened.decide(nowMs, cost)).toEqual(limiter.decide(log, nowMs, cost));
          expect(opened.idleFromMs()).toBe(limiter.idleFromMs(log));
        }
      }),
    );
  });

  it('refuses what costs more than the limit, and tells it to wait a window where nothing else is in it', () => {
    const window = openSlidingLog({ limit: 3, windowMs: 60_000 });
    const refusal = { admitted: false, remaining: 3, resetMs: epochMs + 60_000, retryAfterMs: 60_000 };
    expect(window.decide(epochMs, 4)).toEqual(refusal);
    expect(window.decide(epochMs, 3)).toMatchObject({ admitted: true, remaining: 0 });
    expect(window.decide(epochMs + 1, 4)).toMatchObject({ admitted: false, retryAfterMs: 59_999 });
  });

  it('never admits more than the limit in any (t − window, t]', () => {
    fc.assert(
      fc.property(rates, moments, (rate, requestsMs) => {
        const window = openWindow(slidingLog(rate));
        const admittedMs = requestsMs.filter((nowMs) => window.decide(nowMs).admitted);
        for (const endMs of admittedMs) {
          const inside = admittedMs.filter((atMs) => atMs > endMs - rate.windowMs && atMs <= endMs);
          expect(inside.length).toBeLessThanOrEqual(rate.limit);
        }
      }),
    );
  });

  it('gives a place back at exactly t + window, not a moment earlier', () => {
    const rate = { limit: 2, windowMs: 60_000 };
    const earlyMs = epochMs + 60_000 - 1 / 1024;
    expect(windowAfter(rate, [epochMs, epochMs + 10]).decide(earlyMs).admitted).toBe(false);
    const onTime = windowAfter(rate, [epochMs, epochMs + 10]);
    expect(onTime.decide(epochMs + 60_000)).toMatchObject({
      admitted: true,
      remaining: 0,
      resetMs: epochMs + 60_010,
    });
    expect(onTime.decide(epochMs + 60_009).admitted).toBe(false);
    expect(onTime.decide(epochMs + 60_010).admitted).toBe(true);
  });

  it('does not count rejected requests', () => {
    const window = openWindow(slidingLog({ limit: 1, windowMs: 1_000 }));
    window.decide(epochMs);
    for (let at = 1; at < 1_000; at += 1) expect(window.decide(epochMs + at).admitted).toBe(false);
    expect(window.decide(epochMs + 1_000).admitted).toBe(true);
  });

  it('is not idle while a request is inside the window', () => {
    expect(openWindow(slidingLog({ limit: 3, windowMs: 500 })).idleFromMs()).toBe(Number.NEGATIVE_INFINITY);
    expect(windowAfter({ limit: 3, windowMs: 500 }, [epochMs, epochMs + 7]).idleFromMs()).toBe(epochMs + 507);
  });

  it('keeps its memory however many requests come', () => {
    const limiter = slidingLog({ limit: 4, windowMs: 10 });
    const log = limiter.start();
    for (let at = 0; at < 1_000; at += 1) limiter.decide(log, epochMs + at);
    expect(log.atMs).toHaveLength(4);
    expect(log.count).toBeLessThanOrEqual(4);
  });

  it.each([
    { limit: 0, windowMs: 60_000 },
    { limit: 1.5, windowMs: 60_000 },
    { limit: 10_000_000, windowMs: 60_000 },
    { limit: 30, windowMs: 0 },
    { limit: 30, windowMs: Number.NaN },
  ])('refuses a rate that nothing could keep: %o', (rate) => {
    expect(() => slidingLog(rate)).toThrow(RangeError);
    expect(() => openSlidingLog(rate)).toThrow(RangeError);
  });
});
