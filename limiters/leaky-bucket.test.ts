import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leakyBucket, minimumGap } from './leaky-bucket.ts';
import type { Rate } from './limiter.ts';
import { admissions, epochMs, moments, rates } from './testing/histories.ts';

/** As nginx reckons, in finer integers: a request is `windowMs * 8` drops, `limit` of which leak out each 1/8 ms. */
function leaking({ limit, windowMs }: Rate, burst: number) {
  const request = windowMs * 8;
  let last: { readonly excess: number; readonly atMs: number } | null = null;
  return (nowMs: number): boolean => {
    const excess = last === null ? 0 : last.excess - (nowMs - last.atMs) * 8 * limit + request;
    if (excess > burst * request) return false;
    last = { excess: Math.max(0, excess), atMs: nowMs };
    return true;
  };
}

describe('leaky bucket', () => {
  it('decides as the excess of nginx does', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 0, max: 9 }), moments, (rate, burst, requestsMs) => {
        expect(admissions(leakyBucket(rate, { burst }), requestsMs)).toEqual(
          requestsMs.map(leaking(rate, burst)),
        );
      }),
    );
  });

  it('admits burst + 1 at once', () => {
    const atOnce = Array.from({ length: 9 }, () => epochMs);
    const admitted = admissions(leakyBucket({ limit: 60, windowMs: 60_000 }, { burst: 4 }), atOnce);
    expect(admitted.filter(Boolean)).toHaveLength(5);
  });

  it.each([-1, 0.5])('refuses a burst of %d', (burst) => {
    expect(() => leakyBucket({ limit: 1, windowMs: 1 }, { burst })).toThrow(RangeError);
  });
});

describe('minimum gap', () => {
  it('admits nothing until a gap after what was last admitted', () => {
    fc.assert(
      fc.property(rates, moments, (rate, requestsMs) => {
        let lastMs = Number.NEGATIVE_INFINITY;
        const plainly = (nowMs: number): boolean => {
          if ((nowMs - lastMs) * rate.limit < rate.windowMs) return false;
          lastMs = nowMs;
          return true;
        };
        expect(admissions(minimumGap(rate), requestsMs)).toEqual(requestsMs.map(plainly));
      }),
    );
  });
});
