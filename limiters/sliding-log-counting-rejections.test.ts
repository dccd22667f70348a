import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rate } from './limiter.ts';
import { slidingLogCountingRejections } from './sliding-log-counting-rejections.ts';
import { admissions, epochMs, moments, rates } from './testing/histories.ts';

/** Every earlier request inside the window takes a place, and none is ever forgotten. */
function plainly({ limit, windowMs }: Rate, requestsMs: readonly number[]): readonly boolean[] {
  return requestsMs.map(
    (nowMs, index) => requestsMs.slice(0, index).filter((atMs) => atMs + windowMs > nowMs).length < limit,
  );
}

describe('sliding log counting rejections', () => {
  it('decides from the last requests as from all of them', () => {
    fc.assert(
      fc.property(rates, moments, (rate, requestsMs) => {
        expect(admissions(slidingLogCountingRejections(rate), requestsMs)).toEqual(plainly(rate, requestsMs));
      }),
    );
  });

  it('never admits again whoever keeps asking faster than the rate', () => {
    const everySecond = Array.from({ length: 600 }, (_, second) => epochMs + second * 1_000);
    const admitted = admissions(slidingLogCountingRejections({ limit: 30, windowMs: 60_000 }), everySecond);
    expect(admitted.lastIndexOf(true)).toBe(29);
  });

  it('is idle one window after the last request, even a rejected one', () => {
    const limiter = slidingLogCountingRejections({ limit: 1, windowMs: 500 });
    const log = limiter.start();
    limiter.decide(log, epochMs);
    limiter.decide(log, epochMs + 400);
    expect(limiter.idleFromMs(log)).toBe(epochMs + 900);
  });

  it('keeps its memory however many requests come', () => {
    const limiter = slidingLogCountingRejections({ limit: 4, windowMs: 10 });
    const log = limiter.start();
    for (let at = 0; at < 1_000; at += 1) limiter.decide(log, epochMs + at);
    expect(log.atMs).toHaveLength(4);
    expect(log.count).toBe(4);
  });
});
