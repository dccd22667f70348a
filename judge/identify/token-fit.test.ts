import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWindow } from '../../limiters/limiter.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { bucketDemands } from './bucket-demands.ts';
import type { Fit, Hints } from './fit.ts';
import { inSteps, inWholeSeconds, type Observations, type ObservedRequest, observe } from './observations.ts';
import {
  likeliestMs,
  likeliestRate,
  limitPlausibility,
  ratePlausibility,
  windowPlausibility,
} from './plausibility.ts';
import { admitted, limited, refused, unanswered } from './testing/observed.ts';
import { histories, inTurn, played } from './testing/played.ts';
import { fitBuckets } from './token-fit.ts';
import { wholeTokensOf } from './whole-tokens.ts';

const fitted = (burst: number, trace: readonly ObservedRequest[], hints: Hints = {}) => {
  const [token, leaky] = fitBuckets(observe(trace), burst, hints) as [Fit, Fit];
  return { token, leaky };
};

/** The time between two tokens, ms, by what a bucket of so many needs to be filled. */
const gapOf = ({ window, limit }: Fit) => [window.lowMs / limit, window.highMs / limit];

/** The mean of what some gaps between the shortest and the longest weigh. */
const meanOf = ({ window: { lowMs, highMs } }: Fit, weight: (gapMs: number) => number) =>
  [1, 3, 5, 7, 9, 11, 13, 15]
    .map((sixteenths) => weight(lowMs + ((highMs - lowMs) * sixteenths) / 16))
    .reduce((sum, one) => sum + one / 8, 0);

const rateOf = ({ window: { lowMs, highMs } }: Fit) => ratePlausibility(1 / highMs, 1 / lowMs, {});

const three = [admitted(0), admitted(0), admitted(0)];

// A request may have been decided a millisecond before it was sent.
describe('a bucket of three', () => {
  const trace = [...three, limited(10), admitted(1_010), limited(1_020), admitted(2_020)];

  it('drips as slowly as the admissions let it, and as fast as the refusals do', () => {
    // Five in 2021 ms: two of them dripped in. At 1019 ms four had passed: fewer than two had.
    const { token, leaky } = fitted(3, trace);
    expect([gapOf(token), gapOf(leaky)]).toEqual([
      [509.5, 1_010.5],
      [509.5, 1_010.5],
    ]);
    expect(token.contradictedBy).toEqual([]);
  });

  it('is named by its window, or by its rate', () => {
    const { token, leaky } = fitted(3, trace);
    const window = { lowMs: 3 * 509.5, highMs: 3 * 1_010.5 };
    expect(token).toMatchObject({
      algorithm: 'token-bucket',
      limit: 3,
      lengthMs: likeliestMs(window, {}),
      plausibility: windowPlausibility(window, {}) * limitPlausibility(3, {}),
    });
    const rates = [1 / 1_010.5, 1 / 509.5] as const;
    expect(leaky).toMatchObject({ algorithm: 'leaky-bucket', limit: 3, window });
    expect(leaky.lengthMs).toBeCloseTo(3 / likeliestRate(...rates, {}), 9);
    expect(leaky.plausibility).toBeCloseTo(ratePlausibility(...rates, {}) * 0.001, 12);
  });

  it('is seldom one that is given by its rate where a refusal took far longer than it takes to fill', () => {
    const slow = [...three, limited(500), limited(510, 20_510), admitted(1_010)];
    const { leaky } = fitted(3, slow);
    const { lowMs, highMs } = leaky.window;
    const rate = ratePlausibility(3 / highMs, 3 / lowMs, {});
    expect(leaky.plausibility).toBeCloseTo(rate * 0.001 * ((2 * highMs) / 20_001), 15);
  });

  it('hardly passed a round number at once, which is no limit of its own', () => {
    const [ten, eleven] = [fitted(10, trace), fitted(11, trace)];
    expect([ten.token.limit, eleven.token.limit]).toEqual([3, 3]);
    expect(ten.token.plausibility).toBeCloseTo(0.11 * eleven.token.plausibility, 12);
    expect(ten.leaky.plausibility).toBeCloseTo(0.1 * eleven.leaky.plausibility, 12);
  });

  it('is weighed by what is expected', () => {
    const hints = { limit: 3, windowMs: 3_000 };
    const { token, leaky } = fitted(3, trace, hints);
    expect(token.plausibility).toBe(windowPlausibility(token.window, hints) * 0.5);
    expect(leaky.lengthMs).toBeCloseTo(3_000, 9);
  });

  it.each([
    ['what was neither may have taken a token', [...three, refused(500), limited(1_020)], 3, 1_019 / 2],
    [
      'what has no answer may have taken one at any time',
      [...three, unanswered(500), limited(1_020)],
      3,
      1_019 / 2,
    ],
    [
      'what was sent before the answer may have',
      [...three, limited(1_020, 1_060), admitted(1_040)],
      3,
      1_019 / 2,
    ],
    ['what was sent after it did not', [...three, limited(1_020, 1_030), admitted(1_040)], 3, 1_019],
    [
      'tokens drip from when a slow answer had come',
      [admitted(0, 500), ...three.slice(1), limited(1_020)],
      3,
      1_019,
    ],
  ])('%s', (_, requests, burst, lowMs) => {
    expect(gapOf(fitted(burst, requests).token)[0]).toBe(lowMs);
  });

  it('is as quick as its rate may be, and as slow', () => {
    const { leaky } = fitted(3, [...three, limited(10), limited(1_300), admitted(1_350)]);
    expect(gapOf(leaky)).toEqual([1_299, 1_351]);
    expect(leaky.lengthMs).toBeCloseTo(3 / likeliestRate(1 / 1_351, 1 / 1_299, {}), 9);
    expect(leaky.lengthMs).toBeLessThan(3 * 1_351);
    expect(leaky.lengthMs).toBeGreaterThan(3 * 1_299);
  });

  it('is no smaller than what passed at once, whenever that was', () => {
    const slow = [admitted(0), admitted(1_000), admitted(2_000), limited(2_010)];
    const again = three.map(() => admitted(10_000));
    expect(fitted(3, slow, { limit: 2 }).token.limit).toBe(2);
    expect(fitted(3, [...slow, ...again], { limit: 2 }).token.limit).toBe(3);
  });

  it('is a round number where that passed at once', () => {
    const ten = Array.from({ length: 10 }, () => admitted(0));
    const { token } = fitted(10, [...ten, limited(10), admitted(1_010)]);
    expect(token).toMatchObject({ limit: 10, contradictedBy: [] });
    expect(token.plausibility).toBe(windowPlausibility(token.window, {}) * limitPlausibility(10, {}));
  });

  it('that explains nothing is called as large as the first burst', () => {
    const often = Array.from({ length: 13 }, () => admitted(3_600_010));
    const trace = [...often.map(() => admitted(0)), limited(10), limited(3_600_000), ...often];
    const { token, leaky } = fitted(13, trace);
    expect([token, leaky]).toMatchObject([
      { limit: 13, contradictedBy: [14] },
      { limit: 13, contradictedBy: [14] },
    ]);
    const rate = ratePlausibility(13 / leaky.window.highMs, 13 / leaky.window.lowMs, {});
    expect(leaky.plausibility).toBeCloseTo(0.001 * rate, 12);
  });

  it('of two is a window too', () => {
    expect(fitted(2, [admitted(0), admitted(0), limited(10)]).token.plausibility).toBeGreaterThan(0);
  });
});

describe('a first burst', () => {
  it('may have been more than the bucket holds, for what dripped in meanwhile', () => {
    // Three at once, and one more half a second later.
    const trace = [...three, admitted(500), limited(520), admitted(1_020), limited(1_030)];
    const hints = { limit: 3 };
    expect(fitted(4, trace, hints).token).toMatchObject({ limit: 3, contradictedBy: [] });
    const { token } = fitted(4, trace);
    const both = fitBuckets(observe(trace), 4, {});
    expect(both.map(({ limit }) => limit)).toContain(token.limit);
  });

  it('is fuller, and so likelier, the fewer dripped in', () => {
    // Ten in three seconds: nine of them, with one dripped in, are as good as ten.
    const ten = Array.from({ length: 10 }, (_, n) => admitted(n * 300));
    const trace = [...ten, limited(2_800), admitted(5_300)];
    const weight = (limit: number) => fitted(10, trace, { limit }).token;
    expect(weight(10).limit).toBe(10);
    expect(weight(9).limit).toBe(9);
  });

  it('of many is tried closely below it, and then where it is round, or one more, down to a half', () => {
    const many = Array.from({ length: 190 }, (_, n) => admitted(n * 10));
    const trace = [...many, limited(1_910), admitted(30_000)];
    const named = (limit: number, windowMs: number) => fitted(190, trace, { limit, windowMs }).token.limit;
    expect(named(167, 13_500)).toBe(167);
    expect(named(166, 12_900)).not.toBe(166);
    expect(named(160, 10_000)).toBe(160);
    expect(named(100, 2_100)).toBe(100);
    expect(named(99, 2_055)).not.toBe(99);
    expect(named(105, 2_330)).toBe(105);
    expect(named(111, 2_650)).toBe(111);
    expect(named(112, 2_710)).not.toBe(112);
    expect(named(128, 3_900)).toBe(128);
  });
});

describe('a bucket of one', () => {
  const trace = [admitted(0), limited(500), admitted(1_010), limited(1_500), admitted(2_020)];

  it('is a gap between requests, and no window', () => {
    const { token, leaky } = fitted(1, trace);
    expect(token.plausibility).toBe(0);
    expect(gapOf(leaky)).toEqual([499, 1_010.5]);
    expect(leaky.plausibility).toBeCloseTo(0.5 * ratePlausibility(1 / 1_010.5, 1 / 499, {}), 12);
  });

  it('is contradicted by admissions where more refusals ask for a longer gap', () => {
    const refusals = [5_000, 5_100, 5_200, 5_300].map((ms) => limited(ms));
    const again = [5_310, 5_320, 5_330].map((ms) => admitted(ms));
    expect(fitted(1, [admitted(0), ...refusals, ...again]).leaky.contradictedBy).toEqual([6, 7]);
  });

  it('is contradicted by no more of what passed than shows it best', () => {
    const refusals = [500, 600, 700, 800].map((ms) => limited(ms));
    const again = [admitted(5_000), admitted(5_000)];
    expect(fitted(1, [...three, ...refusals, ...again]).leaky.contradictedBy).toEqual([2]);
    // The same in a tenth of a second more.
    const slower = [admitted(5_000, 5_100), admitted(5_100)];
    expect(fitted(1, [...three, ...refusals, ...slower]).leaky.contradictedBy).toEqual([2]);
    const later = [...three, ...refusals, ...slower, admitted(60_000)];
    expect(fitted(1, later).leaky.contradictedBy).toEqual([2]);
  });

  it('is as likely as requests that were sent together could keep the gap, whatever it is within its span', () => {
    const { leaky } = fitted(1, [admitted(0, 50), admitted(1, 50), limited(100), admitted(120)]);
    expect(leaky.window).toEqual({ lowMs: 24.5, highMs: 51 });
    const free = 1 - 24.5 / 51;
    const share = leaky.plausibility / (0.5 * ratePlausibility(1 / 51, 1 / 24.5, {}));
    expect(share).toBeCloseTo(free ** 2 / 3, 2);
  });

  it('is seen late in a long trace too', () => {
    const often = Array.from({ length: 400 }, (_, n) => admitted(n * 10_000));
    const { leaky } = fitted(1, [...often, limited(3_990_500), admitted(3_991_000)]);
    expect(gapOf(leaky)).toEqual([499, 1_001]);
  });

  it('is a coincidence where refusals took far longer than it takes to drip', () => {
    const slow = [admitted(0), limited(1, 5_001), admitted(4, 10), limited(5, 5_002)];
    const { leaky } = fitted(1, slow);
    const mean = meanOf(leaky, (gapMs) => ((2 * gapMs) / 5_001) * ((2 * gapMs) / 4_998));
    expect(leaky.plausibility).toBeCloseTo(0.5 * rateOf(leaky) * mean, 15);
  });

  it('is a coincidence too where requests that were sent together passed one gap apart', () => {
    const pair = [admitted(0, 20), admitted(2, 15), limited(21, 30)];
    const { leaky } = fitted(1, pair);
    const mean = meanOf(leaky, (gapMs) => Math.min(1, gapMs / 5) * (1 - gapMs / 21) ** 2);
    expect(leaky.plausibility).toBeCloseTo(0.5 * rateOf(leaky) * mean, 12);
    const later = fitted(1, [admitted(0, 20), admitted(2.5, 15), limited(21, 30)]).leaky;
    expect(later.plausibility).toBeGreaterThan(1.5 * leaky.plausibility);
  });
});

describe('a bucket that loses parts of tokens', () => {
  const lossy = { remainder: 'lost', drippedShare: 0.5 } as const;
  const fittedLossy = (burst: number, trace: readonly ObservedRequest[]) =>
    (fitBuckets(observe(trace), burst, {}, lossy) as [Fit, Fit])[0];

  it('may drip as fast as if each row of admissions had cost one more, and its time', () => {
    const trace = [...three, admitted(1_010), limited(1_020)];
    // By 1019 ms four had passed, and two rows of them: four tokens and a millisecond are lost by the first, one by the other.
    expect(gapOf(fitted(3, trace).token)[0]).toBe(509.5);
    const [lowMs = 0] = gapOf(fittedLossy(3, trace));
    expect(lowMs).toBeLessThan(509.5);
    expect(lowMs).toBeCloseTo((1_019 - 1 - 1) / 4, 9);
  });

  it('has no whole token when it refuses', () => {
    const trace = [...three, limited(10), admitted(1_010), limited(2_900), admitted(3_010)];
    const { window, contradictedBy } = fittedLossy(3, trace);
    // A token came within 1.01 s, and then none for 1.889 s.
    expect(contradictedBy).toEqual([5]);
    expect(window.highMs / 3).toBeLessThan(2_900 - 1_010);
  });
});

describe('on a clock that goes in steps', () => {
  const stepped = (trace: readonly ObservedRequest[], phaseMs = -500) =>
    inSteps(observe(trace), { stepMs: 1_000, phase: { lowMs: phaseMs, highMs: phaseMs } });

  it('drips at each step, as many as were admitted since', () => {
    const trace = [...three, limited(10), admitted(1_600), admitted(2_600), limited(2_610), admitted(3_600)];
    const [token] = fitBuckets(stepped(trace), 3, {}) as [Fit, Fit];
    // At -500, 1500, 2500 and 3500: from the first to the last six, and so a token in at most (4000 / 3) ms.
    expect(token.window.highMs / 3).toBeCloseTo(4_000 / 3, 9);
    expect(token.contradictedBy).toEqual([]);
  });

  it('is contradicted by the last that was sent by the end of a step', () => {
    const refusals = [4_600, 5_600, 6_600, 7_600].map((ms) => limited(ms));
    const trace = [...three, ...refusals, ...three.map((_, n) => admitted(60_600 + n)), limited(70_600)];
    const [, leaky] = fitBuckets(stepped(trace), 1, {}) as [Fit, Fit];
    // Of the three that came in one step, and as many a minute later.
    expect(leaky.contradictedBy).toEqual([2]);
    // What comes in one step may have come at any time of it.
    expect(leaky.plausibility).toBeGreaterThan(0);
  });

  it('each step begins a span, and each ends one, though each request lies across two of them', () => {
    const across = (ms: number) => admitted(ms + 480, ms + 520);
    const five = Array.from({ length: 5 }, () => across(4_000));
    const trace = [across(0), across(1_000), across(2_000), across(3_000), ...five];
    const hints = { limit: 3, windowMs: 1_500 };
    const [token] = fitBuckets(stepped(trace, 20), 5, hints) as [Fit, Fit];
    // Five within the last second: two of them dripped in.
    expect(token).toMatchObject({ limit: 3, window: { highMs: 1_500 } });
  });
});

/** What a refusal asks of the time between two tokens, worked out from the end of every request before it. */
function asksPlainly(seen: Observations, at: number, burst: number): number {
  const { admissions, low, high, steps } = seen;
  const sent = admissions.possibleLow.filter((ms) => ms <= (high[at] as number)).length;
  const gaps = [...admissions.possibleHigh].slice(0, Math.max(0, sent + 1 - burst)).map((endMs, ended) => {
    // What is due at a step is there at that step.
    const sinceMs = (low[at] as number) + (steps === undefined ? 0 : 0.5) - endMs;
    return Math.max(0, sinceMs) / (sent + 1 - burst - ended);
  });
  return Math.min(Number.POSITIVE_INFINITY, ...gaps);
}

it('asks for the same as if each end had been looked at', () => {
  const limiter = tokenBucket({ limit: 4, windowMs: 8_000 });
  fc.assert(
    fc.property(histories, fc.nat(20), fc.boolean(), ({ sending, latenciesMs }, lost, isStepped) => {
      const window = openWindow(limiter);
      const trace = played((nowMs) => window.decide(nowMs).admitted, sending, {
        latencyMs: inTurn(latenciesMs),
      });
      const some = trace.map(
        (one, at): ObservedRequest =>
          at === lost ? { ...one, receivedMs: null, outcome: 'indeterminate' } : one,
      );
      const seen = isStepped ? inWholeSeconds(observe(some)) : observe(some);
      for (const burst of [1, 3, 4]) {
        for (const { at, ms } of bucketDemands(seen, burst).atLeast) {
          expect(ms).toBeCloseTo(asksPlainly(seen, at, burst), 6);
        }
      }
    }),
    { numRuns: 60, seed: 3 },
  );
});

/** The same where each row of admissions costs a token more, and all that dripped in during it. */
function lossyAsksPlainly(seen: Observations, at: number): number {
  const { admissions, low, high, rows } = seen;
  const sent = admissions.possibleLow.filter((ms) => ms <= (high[at] as number)).length;
  const gaps = [...admissions.possibleHigh].slice(0, sent).map((endMs, ended) => {
    const since = rows.filter((row) => row.lowMs < (low[at] as number) && row.highMs >= endMs);
    const lostMs = since.reduce((sum, { lowMs, highMs }) => sum + highMs - lowMs, 0);
    return Math.max(0, (low[at] as number) - endMs - lostMs) / (sent - ended + since.length);
  });
  const sentBy = Float64Array.from(high, (ms) => admissions.possibleLow.filter((one) => one <= ms).length);
  return Math.max(wholeTokensOf(seen, sentBy)(at), Math.min(Number.POSITIVE_INFINITY, ...gaps));
}

it('asks for the same of a bucket of one that loses parts of tokens', () => {
  fc.assert(
    fc.property(histories, ({ sending, latenciesMs }) => {
      const window = openWindow(tokenBucket({ limit: 1, windowMs: 3_000 }));
      const trace = played((nowMs) => window.decide(nowMs).admitted, sending, {
        latencyMs: inTurn(latenciesMs),
      });
      const seen = observe(trace);
      const [, leaky] = fitBuckets(seen, 1, {}, { remainder: 'lost', drippedShare: 0.5 });
      if (leaky === undefined || leaky.contradictedBy.length > 0) return;
      const asked = seen.refusals.map((at) => lossyAsksPlainly(seen, at));
      expect(leaky.window.lowMs).toBeCloseTo(Math.max(0, ...asked), 6);
    }),
    { numRuns: 60, seed: 3 },
  );
});
