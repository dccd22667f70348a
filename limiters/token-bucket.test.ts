import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rate } from './limiter.ts';
import { admissions, capacity, epochMs, moments, rates } from './testing/histories.ts';
import { tokenBucket } from './token-bucket.ts';

const bursts = fc.integer({ min: 1, max: 20 });

type Bucket = Rate & { readonly burst: number };

/** Tokens drip in and are taken out. In integers: one is `windowMs * 8` drops, `limit` of which fall each 1/8 ms. */
function dripping({ limit, windowMs, burst }: Bucket) {
  const token = windowMs * 8;
  let level = burst * token;
  let lastMs = epochMs;
  return (nowMs: number): boolean => {
    level = Math.min(burst * token, level + (nowMs - lastMs) * 8 * limit);
    lastMs = nowMs;
    const admitted = level >= token;
    if (admitted) level -= token;
    return admitted;
  };
}

/** The generic cell rate algorithm by its book, in integers: time in 1/8 ms, multiplied by `limit`. */
function gcra({ limit, windowMs, burst }: Bucket) {
  const interval = windowMs * 8;
  const tolerance = (burst - 1) * interval;
  let theoreticalArrival = 0;
  return (nowMs: number): boolean => {
    const now = (nowMs - epochMs) * 8 * limit;
    if (theoreticalArrival > now + tolerance) return false;
    theoreticalArrival = Math.max(now, theoreticalArrival) + interval;
    return true;
  };
}

describe('token bucket', () => {
  it('decides as dripping tokens do', () => {
    fc.assert(
      fc.property(rates, bursts, moments, (rate, burst, requestsMs) => {
        expect(admissions(tokenBucket(rate, { burst }), requestsMs)).toEqual(
          requestsMs.map(dripping({ ...rate, burst })),
        );
      }),
    );
  });

  it('decides as the generic cell rate algorithm does', () => {
    fc.assert(
      fc.property(rates, bursts, moments, (rate, burst, requestsMs) => {
        expect(admissions(tokenBucket(rate, { burst }), requestsMs)).toEqual(
          requestsMs.map(gcra({ ...rate, burst })),
        );
      }),
    );
  });

  it('lets the burst and all that drips in meanwhile pass in one window', () => {
    const everyMs = Array.from({ length: 1_001 }, (_, ms) => epochMs + ms);
    const admitted = admissions(tokenBucket({ limit: 10, windowMs: 1_000 }), everyMs);
    expect(admitted.filter(Boolean)).toHaveLength(20);
  });

  it('counts without rounding, however long it is kept busy', () => {
    const limiter = tokenBucket({ limit: 7, windowMs: 60_000 });
    const bucket = limiter.start();
    for (let request = 0; request < 7; request += 1) limiter.decide(bucket, epochMs);
    let rejected = 0;
    for (let token = 1; token <= 70_000; token += 1) {
      const nowMs = epochMs + Math.ceil((token * 60_000) / 7);
      if (!limiter.decide(bucket, nowMs).admitted) rejected += 1;
    }
    expect(rejected).toBe(0);
    expect(limiter.idleFromMs(bucket)).toBe(epochMs + 10_001 * 60_000);
  });

  it('gives a token back at its moment and not one rounding earlier', () => {
    const limiter = tokenBucket({ limit: 131, windowMs: 86_811.85467292943 }, { burst: 584 });
    const bucket = limiter.start();
    for (let request = 0; request < 584; request += 1) limiter.decide(bucket, 0);
    const lastTokenMs = limiter.idleFromMs(bucket);
    // The next smaller number; the quotient rounds up to all 584 tokens.
    const beforeMs = 387_008.5735037464;
    expect(beforeMs).toBeLessThan(lastTokenMs);
    expect(capacity(limiter, bucket, beforeMs)).toBe(583);
    expect(capacity(limiter, bucket, lastTokenMs)).toBe(584);
    expect(limiter.decide(bucket, beforeMs).remaining).toBe(582);
  });

  it('is idle when it is full again', () => {
    const limiter = tokenBucket({ limit: 30, windowMs: 60_000 });
    const bucket = limiter.start();
    limiter.decide(bucket, epochMs);
    limiter.decide(bucket, epochMs + 500);
    expect(limiter.idleFromMs(bucket)).toBe(epochMs + 4_000);
  });

  it.each([0, 1.5, 10_000_000])('refuses a burst of %d', (burst) => {
    expect(() => tokenBucket({ limit: 1, windowMs: 1 }, { burst })).toThrow(RangeError);
  });
});
