import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitCountingTokens } from './counting-token-fit.ts';
import { observe } from './observations.ts';
import { admitted, limited } from './testing/observed.ts';
import { burst, played, type SendTimes } from './testing/played.ts';

/** Tokens come at the ticks of a clock, from the first request on. */
function countingBucket(limit: number, gapMs: number) {
  let [tickedMs, tokens] = [Number.NaN, limit];
  return (nowMs: number) => {
    if (Number.isNaN(tickedMs)) tickedMs = nowMs;
    const ticks = Math.floor((nowMs - tickedMs) / gapMs);
    tickedMs += ticks * gapMs;
    tokens = Math.max(-1, Math.min(limit, tokens + ticks) - 1);
    return tokens >= 0;
  };
}

const latency = { latencyMs: () => 1 };
const fitsOf = (trace: Parameters<typeof observe>[0]) => fitCountingTokens(observe(trace), {});
/** Twelve in 6 s: a token each half second. */
const asked = (sending: SendTimes) => played(countingBucket(12, 500), sending, latency);

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
    expect(fit?.limit).toBeGreaterThanOrEqual(6);
    expect(fit?.limit).toBeLessThanOrEqual(13);
  });

  it('is never ruled out where it is the truth', () => {
    const moments = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 20, maxLength: 120 });
    const network = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(moments, network, fc.integer({ min: 2, max: 15 }), (sent, latencies, limit) => {
        let drawn = 0;
        const latencyMs = () => latencies[drawn++ % latencies.length] as number;
        const sending = [0, ...sent.toSorted((left, right) => left - right)];
        const trace = played(countingBucket(limit, 500), sending, { latencyMs });
        const seen = observe(trace);
        const [fit] = fitCountingTokens(seen, { limit });
        const cameBack = seen.isAdmitted.some(
          (was, at) =>
            was && seen.refused.some((one) => (seen.high[one] as number) < (seen.low[at] as number)),
        );
        expect(fit !== undefined).toBe(cameBack);
        // Of fewer that dripped in more is explained too.
        if (fit?.limit !== limit) return;
        const gap = { lowMs: fit.window.lowMs / fit.limit, highMs: fit.window.highMs / fit.limit };
        expect(gap.lowMs).toBeLessThanOrEqual(501);
        expect(gap.highMs).toBeGreaterThanOrEqual(499);
      }),
      { numRuns: 300 },
    );
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
