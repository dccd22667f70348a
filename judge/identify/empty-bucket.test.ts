import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHaveBegunEmpty, tokenGapSinceEmpty } from './empty-bucket.ts';
import { identify } from './identify.ts';
import { observe } from './observations.ts';
import { bucketFrom } from './testing/buckets.ts';
import { admitted, limited } from './testing/observed.ts';
import { burst, played } from './testing/played.ts';

const sending = [0, ...burst(3_000, 12), ...[5_000, 9_000, 14_000, 25_000].flatMap((ms) => burst(ms, 30))];
const seenOf = (decides: (nowMs: number) => boolean) => played(decides, sending, { latencyMs: () => 1 });

describe('the time between tokens of a bucket that began empty', () => {
  it('is known as closely as answers tell', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 2_000 }), (gapMs) => {
        const gap = tokenGapSinceEmpty(observe(seenOf(bucketFrom(1, { limit: 200, gapMs }))));
        expect(gap?.lowMs).toBeLessThanOrEqual(gapMs);
        expect(gap?.highMs).toBeGreaterThanOrEqual(gapMs);
      }),
      { numRuns: 50 },
    );
  });

  it('is none of a bucket that was full, or that filled up meanwhile', () => {
    expect(tokenGapSinceEmpty(observe(seenOf(bucketFrom(10, { limit: 10, gapMs: 500 }))))).toBeNull();
    expect(tokenGapSinceEmpty(observe(seenOf(bucketFrom(1, { limit: 4, gapMs: 500 }))))).toBeNull();
  });

  it('is none where fewer than three of either kind were seen', () => {
    const [three, two] = [
      [1_010, 1_020, 1_030],
      [1_010, 1_020],
    ].map((all) => all.map((ms) => limited(ms)));
    const begun = [admitted(0), admitted(1_000)];
    expect(
      tokenGapSinceEmpty(observe([...begun, ...(three ?? []), admitted(2_000), admitted(3_000)])),
    ).not.toBeNull();
    expect(tokenGapSinceEmpty(observe([...begun, ...(three ?? []), admitted(2_000)]))).toBeNull();
    expect(
      tokenGapSinceEmpty(observe([...begun, ...(two ?? []), admitted(2_000), admitted(3_000)])),
    ).toBeNull();
  });

  it('is none where something was refused before anything was taken', () => {
    const trace = [
      limited(0),
      admitted(1_000),
      limited(1_010),
      limited(1_020),
      admitted(2_000),
      admitted(3_000),
    ];
    expect(tokenGapSinceEmpty(observe([...trace, admitted(4_000)]))).toBeNull();
  });

  it('counts from the first request, whenever that was decided', () => {
    const trace = [admitted(0, 400), admitted(1_000), limited(1_010), limited(1_020), limited(1_030)];
    // Two were taken by the last refusal, 630 ms at least after the first; three by the last admission, 3 s at most.
    expect(tokenGapSinceEmpty(observe([...trace, admitted(2_000), admitted(3_000)]))).toEqual({
      lowMs: 629 / 2,
      highMs: 3_001 / 3,
    });
  });
});

describe('a limiter that may have begun empty', () => {
  const found = (trace: Parameters<typeof observe>[0], plausibility: number | null) =>
    ({
      observations: observe(trace),
      tied: plausibility === null ? [] : [{ plausibility }],
    }) as unknown as Parameters<typeof mayHaveBegunEmpty>[0];
  const cold = seenOf(bucketFrom(1, { limit: 200, gapMs: 500 }));
  const warm = seenOf(bucketFrom(10, { limit: 10, gapMs: 500 }));

  it('is a bucket whose tokens are known closely, whatever else explains it', () => {
    expect(mayHaveBegunEmpty(found(cold, 1))).toBe(true);
  });

  it('is one whose tokens are not, where nothing else explains it by more than chance', () => {
    const vague = [admitted(0), admitted(1_000), ...[1_010, 1_020, 1_030].map((ms) => limited(ms))];
    const trace = [...vague, admitted(2_000), admitted(3_000)];
    expect(mayHaveBegunEmpty(found(trace, 1))).toBe(false);
    expect(mayHaveBegunEmpty(found(trace, 1e-5))).toBe(false);
    expect(mayHaveBegunEmpty(found(trace, 0.9e-5))).toBe(true);
    expect(mayHaveBegunEmpty(found(trace, null))).toBe(true);
  });

  it('is one of which half as much again came back later', () => {
    const rows = (first: number, later: number) => [
      ...burst(0, first).map((ms) => admitted(ms)),
      limited(first + 10),
      ...burst(60_000, later).map((ms) => admitted(ms)),
      limited(60_000 + later + 10),
    ];
    expect(mayHaveBegunEmpty(found(rows(10, 15), null))).toBe(true);
    expect(mayHaveBegunEmpty(found(rows(10, 14), null))).toBe(false);
    expect(mayHaveBegunEmpty(found(rows(10, 15), 1))).toBe(false);
  });

  it('is none that began full', () => {
    expect(mayHaveBegunEmpty(identify(warm))).toBe(false);
    expect(mayHaveBegunEmpty(identify(cold))).toBe(true);
  });
});
