import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitCountingTokens } from './counting-token-fit.ts';
import { firstBurstOf } from './limits-met.ts';
import { observe } from './observations.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { countingBucket } from './testing/buckets.ts';
import { admitted, limited, refused } from './testing/observed.ts';
import { burst, played, type SendTimes } from './testing/played.ts';

const latency = { latencyMs: () => 1 };
const fitsOf = (trace: Parameters<typeof observe>[0]) => fitCountingTokens(observe(trace), {});
/** Twelve in 6 s: a token each half second. */
const asked = (sending: SendTimes) => played(countingBucket({ limit: 12, gapMs: 500 }), sending, latency);

/** 26 tokens drip in before the limit of four is met. */
const longDripped: [number[], number[], number] = [
  [
    ...[
      0, 0, 0, 438, 638, 1499, 1942, 2494, 2992, 3483, 4000, 4448, 4804, 5350, 5938, 6138, 6999, 7442, 7994,
      8492,
    ],
    ...[8983, 9500, 9948, 10304, 10850, 11438, 12138, 12138, 12942, 12994, 12994, 12994, 13000, 13948, 24804],
    ...[24850, 24938, 24938, 24999],
  ],
  [1, 53, 197, 151, 63, 363, 2, 59, 7, 9, 18],
  4,
];

describe('a bucket in which refusals take a place', () => {
  it('is found with the round limit that the first burst may have met', () => {
    const sending = [
      0,
      ...burst(3_000, 20),
      ...[4_200, 5_400, 5_800, 6_900, 8_600, 10_700].flatMap((ms) => burst(ms, 4)),
    ];
    const [fit, ...others] = fitsOf(asked(sending));
    expect(others).toEqual([]);
    expect(fit).toMatchObject({ algorithm: 'token-bucket', rejectionsCount: true, contradictedBy: [] });
    expect(fit?.window.lowMs).toBeLessThanOrEqual(500 * (fit?.limit ?? 0));
    expect(fit?.window.highMs).toBeGreaterThanOrEqual(500 * (fit?.limit ?? 0));
  });

  it('is weighed by what is usual, and by how much has to have dripped in', () => {
    const sending = [
      0,
      ...burst(3_000, 20),
      ...[4_200, 5_400, 5_800, 6_900, 8_600, 10_700].flatMap((ms) => burst(ms, 4)),
    ];
    const trace = played(countingBucket({ limit: 10, gapMs: 500 }), sending, latency);
    const [fit] = fitsOf(trace);
    // Of the ten that it holds the first is back.
    expect(firstBurstOf(observe(trace))).toBe(11);
    expect(fit?.limit).toBe(10);
    const { window = { lowMs: 0, highMs: 0 }, limit = 0 } = fit ?? {};
    const usual = windowPlausibility(window, {}) * limitPlausibility(limit, {});
    expect(fit?.plausibility).toBeCloseTo(0.02 * (10 / 11) ** 4 * usual, 12);
  });

  it('has tokens as far apart as the refusals before say', () => {
    const begun = [admitted(0), admitted(1), limited(10), admitted(1_010), admitted(1_511), limited(1_520)];
    const windowOf = (trace: Parameters<typeof observe>[0]) => {
      const [fit] = fitCountingTokens(observe(trace), { limit: 2 });
      return [fit?.limit, fit?.window.lowMs, fit?.window.highMs];
    };
    // The second one admitted came 1.502 s after the first refusal at most; the last one was refused 779 ms after another at least.
    expect(windowOf([...begun, limited(2_300)])).toEqual([2, 2 * (779 / 2), 2 * (1_502 / 2)]);
    // Of two on their way together one was the first, nobody knows which.
    const together = [limited(2_300, 2_400), limited(2_350, 2_360)];
    expect(windowOf([...begun, ...together])).toEqual([2, 2 * (779 / 2), 2 * (1_502 / 2)]);
    // The one that was decided first was decided by the first answer: what was sent later was no token less for it.
    const late = [limited(9_000, 9_400), limited(9_050, 9_060), refused(9_300, 9_310)];
    const slow = [admitted(0), admitted(1), admitted(2), limited(10), admitted(3_010), limited(3_020)];
    const [fit] = fitCountingTokens(observe([...slow, ...late]), { limit: 3, windowMs: 8_000 });
    expect(fit).toMatchObject({ limit: 3, window: { lowMs: 3 * (8_999 / 4), highMs: 3 * 3_001 } });
  });

  it('is never ruled out where it is the truth', () => {
    const moments = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 20, maxLength: 120 });
    const network = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(moments, network, fc.integer({ min: 2, max: 15 }), (sent, latencies, limit) => {
        let drawn = 0;
        const latencyMs = () => latencies[drawn++ % latencies.length] as number;
        const sending = [0, ...sent.toSorted((left, right) => left - right)];
        const trace = played(countingBucket({ limit, gapMs: 500 }), sending, { latencyMs });
        const seen = observe(trace);
        const [fit] = fitCountingTokens(seen, { limit });
        const cameBack = seen.isAdmitted.some(
          (was, at) =>
            was && seen.limited.some((one) => (seen.high[one] as number) < (seen.low[at] as number)),
        );
        expect(fit !== undefined).toBe(cameBack);
        // Of fewer that dripped in more is explained too.
        if (fit?.limit !== limit) return;
        const gap = { lowMs: fit.window.lowMs / fit.limit, highMs: fit.window.highMs / fit.limit };
        expect(gap.lowMs).toBeLessThanOrEqual(501);
        expect(gap.highMs).toBeGreaterThanOrEqual(499);
      }),
      { numRuns: 300, examples: [longDripped] },
    );
  });

  it('holds two at least: one at a time is a gap', () => {
    const sending = [0, ...burst(3_000, 6), ...[4_200, 5_400, 5_800, 6_900].flatMap((ms) => burst(ms, 3))];
    expect(
      fitsOf(played(countingBucket({ limit: 1, gapMs: 500 }), sending, latency)).filter(
        ({ limit }) => limit < 2,
      ),
    ).toEqual([]);
  });

  it('is none where one passed sooner than refusals in the midst of others let it', () => {
    const refusals = [10, 130, 5_000, 5_100, 5_200].map((ms) => limited(ms));
    // After 4.87 s without a request two tokens were not there yet, and 0.7 s later one of them was.
    expect(fitsOf([admitted(0), admitted(1), ...refusals, admitted(5_900)])).toEqual([]);
  });

  it('is none where nothing came back, and none where one passed sooner than it can', () => {
    expect(fitsOf([admitted(0), admitted(1), limited(2)])).toEqual([]);
    // One token since the first refusal let one pass; the second refusal shows that they take longer.
    const early = [
      admitted(0),
      admitted(1),
      limited(10, 11),
      admitted(100, 101),
      limited(110, 111),
      limited(900, 901),
    ];
    expect(fitsOf(early)).toEqual([]);
  });
});
