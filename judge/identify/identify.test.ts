import { expect, it, describe as suite } from 'vitest';
import { extendOnReject } from '../../limiters/extend-on-reject.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { perSecondCap } from '../../limiters/per-second-cap.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { subWindowLog } from '../../limiters/sub-window-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { describe } from './describe.ts';
import type { Hints } from './fit.ts';
import { identify, rememberedMax } from './identify.ts';
import type { ObservedRequest } from './observations.ts';
import { admitted, limited } from './testing/observed.ts';
import { type Admits, burst, originMs, played, probing } from './testing/played.ts';

const rate = { limit: 30, windowMs: 60_000 };
const hints = { windowMs: 60_000 };
const quick = { latencyMs: () => 2 };

const identified = (trace: readonly ObservedRequest[]) => describe(identify(trace, hints));
const windowOf = (limiter: Parameters<typeof openWindow>[0]): Admits => {
  const window = openWindow(limiter);
  return (nowMs) => window.decide(nowMs).admitted;
};

suite('a limiter that is identified by status codes alone', () => {
  it.each([
    ['sliding-log', slidingLog(rate)],
    ['sliding-log-counting-rejections', slidingLogCountingRejections(rate)],
    ['sub-window-log', subWindowLog(rate, { subWindowMs: 1_000 })],
    ['fixed-window-wall-clock', fixedWindow(rate)],
    ['fixed-window-first-request', fixedWindowFirstRequest(rate)],
    ['two-bucket', twoBucket(rate)],
    ['token-bucket', tokenBucket(rate)],
  ] as const)('%s', (algorithm, limiter) => {
    const found = identified(
      played(windowOf(limiter as Parameters<typeof openWindow>[0]), probing(30), quick),
    );
    expect(found).toMatchObject({ algorithm, limit: 30, contradictions: 0 });
    expect(found.windowSeconds?.value).toBe(60);
    expect(found.windowSeconds?.low).toBeLessThanOrEqual(60);
    expect(found.windowSeconds?.high ?? 60).toBeGreaterThanOrEqual(60);
  });

  it('the same requests a second time is what was found before, and others are looked at anew', () => {
    const trace = [admitted(0), admitted(100), admitted(200), admitted(300), limited(400)];
    let before = identify(trace, hints);
    expect(identify([...trace], { ...hints, limit: undefined })).toBe(before);
    const inTheMidst = trace.with(3, limited(300));
    for (const [other, given] of [
      [trace, {}],
      [trace, { limit: 5 }],
      [inTheMidst, { limit: 5 }],
      [inTheMidst.slice(1), { limit: 5 }],
    ] as const) {
      const found = identify(other, given);
      expect(found).not.toBe(before);
      before = found;
    }
    // The list that was asked about may have other requests by now.
    identify(trace, hints);
    const last = trace.pop() as ObservedRequest;
    trace.push({ ...(trace.pop() as ObservedRequest), outcome: 'limited' }, last);
    expect(identify(trace, hints).observations.isLimited.at(-2)).toBe(true);
    const alone = [last];
    expect(identify(alone)).toBe(identify(alone));
  });

  it('what was found of so few is remembered: of many keys each would take as much again as its requests', () => {
    const traces = Array.from({ length: rememberedMax + 1 }, () => [admitted(0), limited(100)]);
    const found = traces.map((trace) => identify(trace, hints));
    const again = traces.toReversed().map((trace) => identify(trace, hints));
    const isSame = again.toReversed().map((one, at) => one === found[at]);
    expect(isSame).toEqual(traces.map((_, at) => at > 0));
  });

  it('extend-on-reject: only silence opens it again', () => {
    const ladder = [10_000, 40_000, 59_900, 60_300, 62_000, 64_500, 69_000];
    const silences = [...burst(131_000, 34), ...burst(194_000, 34)];
    const sending = [0, ...burst(3_000, 34), ...ladder, ...silences];
    const found = identified(played(windowOf(extendOnReject(rate)), sending, quick));
    expect([found.algorithm].flat()[0]).toBe('extend-on-reject');
    expect(found.limit).toBe(30);
  });

  it('a cap on top: as many in any second, and a longer window under it', () => {
    const seconds = [3, 4.1, 5.2, 6.3, 7.4].flatMap((at) => burst(at * 1_000, 12));
    const again = [64.5, 65.6, 66.7, 67.8].flatMap((at) => burst(at * 1_000, 12));
    const sending = [0, ...seconds, 15_000, 30_000, 45_000, 59_900, 60_100, 61_500, ...again];
    const found = identified(played(windowOf(perSecondCap(slidingLog(rate), 10)), sending, quick));
    expect(found).toMatchObject({ algorithm: 'sliding-log', limit: 30, perSecondCap: 10 });
  });
});

suite('a burst of which more passed than the limit, because it was counted late', () => {
  const together = (fromMs: number, passed: number, refused = 0) =>
    Array.from({ length: passed + refused }, (_, at) =>
      (at < passed ? admitted : limited)(fromMs + at / 100, fromMs + 5),
    );
  const window = (fromMs: number, passed: number) => [
    ...together(fromMs, 18),
    ...together(fromMs + 10, passed - 18, 3),
    limited(fromMs + 30_000),
    limited(fromMs + 59_900),
  ];
  const found = (passed: number, given: Hints = {}) =>
    describe(identify([...window(0, passed), ...window(60_100, passed), admitted(120_300)], given));

  it('has the usual limit that was met while it was on its way', () => {
    expect(found(34)).toMatchObject({ limit: 20, windowSeconds: { value: 60 } });
  });

  it('but not where a usual limit explains it otherwise', () => {
    const singles = [...together(1_000, 0, 1), ...together(30_000, 5, 1)];
    const again = [...together(60_100, 18), ...together(60_110, 12, 3), ...together(90_000, 7, 1)];
    const { algorithm, limit } = identified([
      ...together(0, 18),
      ...together(10, 16, 3),
      ...singles,
      ...again,
    ]);
    expect(limit).toBe(30);
    expect(algorithm).not.toContain('token-bucket');
  });

  it('but not where so many are on their way at once at most', () => {
    const inFlight = [0, 1_000, 2_000, 3_000, 5_000].flatMap((ms) => [
      ...Array.from({ length: 34 }, () => admitted(ms, ms + 500)),
      ...Array.from({ length: 6 }, () => limited(ms, ms + 5)),
    ]);
    const { algorithm, limit, notRuledOut } = identified(inFlight);
    expect([algorithm, limit]).toEqual(['concurrency-limit', 34]);
    expect(notRuledOut.filter((one) => one.limit === 10)).toEqual([]);
  });

  it('but not where what passed is usual itself, or expected', () => {
    expect(found(30).limit).toBe(30);
    expect(found(34, { limit: 34 }).limit).toBe(34);
  });
});

suite('two windows', () => {
  it('names the longer one, and the one on top of it with its length', () => {
    const short = windowOf(slidingLog({ limit: 10, windowMs: 10_000 }));
    const long = windowOf(fixedWindowFirstRequest({ limit: 24, windowMs: 40_000 }));
    const bursts = [0, 11, 22, 41, 52, 63].flatMap((seconds) => burst(seconds * 1_000, 12));
    const underShort = [5_000, 9_800, 15_000, 20_800, 46_000, 50_800];
    const singles = [
      ...underShort,
      24_000,
      28_000,
      33_500,
      37_000,
      39_500,
      40_200,
      66_000,
      74_500,
      79_000,
      81_500,
    ];
    const sending = [...bursts, ...singles].sort((left, right) => left - right);
    const found = identified(played((nowMs) => short(nowMs) && long(nowMs), sending, quick));
    expect([found.algorithm].flat()).toContain('fixed-window-first-request');
    expect(found).toMatchObject({ limit: 24, shorterWindow: { limit: 10, windowSeconds: 10 } });
  });
});

suite('a length that is believed', () => {
  it('is not forced on what has another', () => {
    const limiter = slidingLog({ limit: 30, windowMs: 70_000 });
    const late = [69_500, 69_900, 70_200, 70_500, 71_000, ...burst(74_500, 34)];
    const found = identified(played(windowOf(limiter), [...probing(30).slice(0, 50), ...late], quick));
    expect(found).toMatchObject({ algorithm: 'sliding-log', limit: 30 });
    expect(found.windowSeconds?.value).toBe(70);
  });

  it('is not forced on a counter, for which one request would have to be in two of its windows', () => {
    let drawn = 0;
    const latencyMs = () => {
      drawn += 37;
      return drawn % 60;
    };
    const opening = [0, ...Array.from({ length: 18 }, () => 850), ...burst(3_000, 106)];
    const singles = [18_000, 30_000, 45_000, 54_000, 58_500, 59_900, 60_300, 60_700, 61_120];
    const returned = [61_590, 61_750, 62_000, ...burst(62_640, 19), ...burst(64_180, 130)];
    const limiter = slidingLog({ limit: 120, windowMs: 61_500 });
    const trace = played(windowOf(limiter), [...opening, ...singles, ...returned], { latencyMs });
    expect([identified(trace).algorithm].flat()).toContain('sliding-log');
    expect([identified(trace).algorithm].flat()).not.toContain('two-bucket');
  });

  it('leaves the length of a window on a grid open: one boundary does not tell it', () => {
    const { windowSeconds } = identified(played(windowOf(fixedWindow(rate)), probing(30), quick));
    expect(windowSeconds?.low).toBeLessThan(60);
    expect(windowSeconds?.high).toBeNull();
  });
});

suite('a refusal in the second of a clock in which the window opened', () => {
  it('does not hide those before it', () => {
    const singles = [5_000, 15_000, 30_000, 45_000, 55_000, 58_700, 59_960, 59_980];
    const again = singles.map((ms) => ms + 60_000);
    const bursts = [60_020, 120_120].map((ms) => burst(ms, 34));
    const sending = [0, ...burst(3_000, 34), ...singles, ...again, ...bursts.flat()].sort(
      (left, right) => left - right,
    );
    const { algorithm, notRuledOut } = identified(
      played(windowOf(fixedWindowFirstRequest(rate)), sending, { latencyMs: () => 1 }),
    );
    expect(algorithm).toBe('fixed-window-first-request');
    const counters = notRuledOut.filter((one) => one.algorithm.startsWith('two-bucket'));
    expect(counters.filter(({ windowSeconds }) => windowSeconds.low < 50)).toEqual([]);
  });
});

suite('what the times leave open', () => {
  it('is said as a tie', () => {
    const sending = [0, ...burst(3_000, 34), 20_000, 40_000, 66_000];
    const found = identified(played(windowOf(slidingLog(rate)), sending, quick));
    expect(Array.isArray(found.algorithm)).toBe(true);
    expect(found.algorithm).toContain('sliding-log');
    expect(found.algorithm).toContain('fixed-window-first-request');
    expect(found.tied).toHaveLength(found.algorithm.length);
  });

  it('slow answers never contradict the truth: they widen the interval', () => {
    let drawn = 0;
    const latencyMs = () => {
      drawn += 37;
      return drawn % 400;
    };
    const slow = { latencyMs };
    const found = identified(played(windowOf(slidingLog(rate)), probing(30), slow));
    expect([found.algorithm].flat()).toContain('sliding-log');
    const { low = 0, high } = found.windowSeconds ?? {};
    expect((high ?? 0) - low).toBeGreaterThan(0.2);
  });
});

suite('what no known limiter does', () => {
  const outcomesOf = (admits: Admits, sending = probing(30)) => identified(played(admits, sending, quick));

  it('random refusals', () => {
    let at = 0;
    const found = outcomesOf(() => {
      at += 1;
      return at % 10 !== 7;
    });
    expect(found.algorithm).toBe('unidentified');
    expect(found.nearest).not.toBeNull();
    expect(found.contradictions).toBeGreaterThan(0);
    expect(found.remarks[0]).toMatch(/^\S+: request \d+, .* was (refused|admitted)$/);
  });

  it('an endpoint that never opens again', () => {
    let left = 30;
    const found = outcomesOf(() => {
      left -= 1;
      return left >= 0;
    });
    expect(found).toMatchObject({ algorithm: 'unidentified', limit: null, nearest: null });
    expect(found.remarks).toEqual(['nothing was admitted after the first refusal']);
  });

  it('no limit at all', () => {
    expect(outcomesOf(() => true).remarks).toEqual(['nothing was ever refused']);
  });
});

suite('requests without an answer, or with one that says nothing of the limit', () => {
  it('may have counted, and never surely did', () => {
    const trace = played(windowOf(slidingLog(rate)), probing(30), quick).map((one, at): ObservedRequest => {
      if (at === 5) return { ...one, receivedMs: null, outcome: 'indeterminate' };
      return at === 9 ? { ...one, outcome: 'refused' } : one;
    });
    expect([identified(trace).algorithm].flat()).toContain('sliding-log');
  });

  it('do not make a limit on requests in flight of every other limit', () => {
    const trace = played(windowOf(slidingLog(rate)), probing(30), quick).map((one, at): ObservedRequest => {
      return at === 34 ? { ...one, receivedMs: null, outcome: 'indeterminate' } : one;
    });
    expect(trace.slice(31, 34).map(({ outcome }) => outcome)).toContain('limited');
    expect(identified(trace).algorithm).toBe('sliding-log');
  });

  it('cannot be the whole trace', () => {
    expect(() => identify([])).toThrow('without a request');
    const alone: ObservedRequest = { sentMs: originMs, receivedMs: null, outcome: 'indeterminate' };
    expect(identified([alone]).algorithm).toBe('unidentified');
  });
});
