import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHaveBegunEmpty, tokenGapSinceEmpty } from './empty-bucket.ts';
import { identify } from './identify.ts';
import { observe } from './observations.ts';
import { admitted, limited } from './testing/observed.ts';
import { burst, played } from './testing/played.ts';

/** A bucket that holds `first` tokens when it is first asked. */
function bucket({ first, limit, gapMs }: { first: number; limit: number; gapMs: number }) {
  let [askedMs, tokens] = [Number.NaN, first];
  return (nowMs: number) => {
    if (!Number.isNaN(askedMs)) tokens = Math.min(limit, tokens + (nowMs - askedMs) / gapMs);
    askedMs = nowMs;
    const isAdmitted = tokens >= 1;
    if (isAdmitted) tokens -= 1;
    return isAdmitted;
  };
}

const sending = [0, ...burst(3_000, 12), ...[5_000, 9_000, 14_000, 25_000].flatMap((ms) => burst(ms, 30))];
const seenOf = (decides: (nowMs: number) => boolean) => played(decides, sending, { latencyMs: () => 1 });

describe('the time between tokens of a bucket that began empty', () => {
  it('is known as closely as answers tell', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 2_000 }), (gapMs) => {
        const gap = tokenGapSinceEmpty(observe(seenOf(bucket({ first: 1, limit: 200, gapMs }))));
        expect(gap?.lowMs).toBeLessThanOrEqual(gapMs);
        expect(gap?.highMs).toBeGreaterThanOrEqual(gapMs);
      }),
      { numRuns: 50 },
    );
  });

  it('is none of a bucket that was full, or that filled up meanwhile', () => {
    expect(tokenGapSinceEmpty(observe(seenOf(bucket({ first: 10, limit: 10, gapMs: 500 }))))).toBeNull();
    expect(tokenGapSinceEmpty(observe(seenOf(bucket({ first: 1, limit: 4, gapMs: 500 }))))).toBeNull();
  });

  it('is none where too little was seen', () => {
    const few = [admitted(0), admitted(3_000), limited(3_010), limited(3_020), admitted(4_000)];
    expect(tokenGapSinceEmpty(observe(few))).toBeNull();
    const enough = [
      admitted(0),
      admitted(1_000),
      limited(1_010),
      limited(1_020),
      admitted(2_000),
      limited(2_010),
    ];
    expect(tokenGapSinceEmpty(observe([...enough, admitted(3_000)]))).not.toBeNull();
    // A refusal before anything was taken is none of a bucket's.
    expect(tokenGapSinceEmpty(observe([limited(0), ...enough.slice(1), admitted(3_000)]))).toBeNull();
  });
});

describe('a limiter that may have begun empty', () => {
  it('is a bucket that did, also where it filled up meanwhile', () => {
    expect(mayHaveBegunEmpty(identify(seenOf(bucket({ first: 1, limit: 200, gapMs: 500 }))))).toBe(true);
    expect(mayHaveBegunEmpty(identify(seenOf(bucket({ first: 1, limit: 20, gapMs: 500 }))))).toBe(true);
  });

  it('is none that something else explains', () => {
    expect(mayHaveBegunEmpty(identify(seenOf(bucket({ first: 10, limit: 10, gapMs: 500 }))))).toBe(false);
  });
});
