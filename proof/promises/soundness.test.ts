import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostilePromise, type PromiseSetting, playPromiseBatch, promiseSetting } from './hostile-promise.ts';

// `npm run soundness -- --promises 100000` plays as many as one has time for.
test('a limiter that keeps its promise is never called violated, whatever network and clocks do', () => {
  fc.assert(
    fc.property(promiseSetting, (setting) => {
      expect(hostilePromise(setting).violated).toEqual([]);
    }),
    { numRuns: 300, seed: 20_261_123 },
  );
});

/** What rules one limit out as the reason of a 429 may lie before the machine slept, and the 429 after it. */
const slept: PromiseSetting = {
  hostile: {
    scope: 'messages',
    seed: 25,
    startsAtMs: 11859,
    latencyMs: 2.59436,
    tail: { share: 0, ms: 4999.95 },
    lostBefore: 0,
    lostAfter: 3.0000000000000004e-7,
    lateShare: 0,
    staggerMs: 16.8636,
    serverOffsetMs: -568,
    serverDriftPpm: 88,
    serverTruncates: true,
    interruption: { kind: 'suspend', atMs: 4, forMs: 2003, isBack: true },
    earlierUse: 379,
    variant: 0,
    edges: { death: null, brokenBodies: 0, isHead: false },
  },
  promised: 2,
  keeper: 996,
  limit: 3,
  windowSeconds: 38,
  also: { promised: 1, keeper: 409, limit: 2, windowSeconds: 6, isFirst: true },
  costs: null,
  body: null,
  outage: { atMs: 122977, isBare: false, forMs: 7 },
};

test('a sleep between what rules one of two limits out and what the other one cannot explain blames nobody', () => {
  expect(hostilePromise(slept).violated).toEqual([]);
});

/** The proof is of a hundred minutes, over which clocks may part by more than they did at once in the second one. */
const sleptInLongRun: PromiseSetting = {
  ...slept,
  hostile: {
    ...slept.hostile,
    seed: 1_784_264_487,
    startsAtMs: 10,
    latencyMs: 3.34811,
    tail: { share: 0, ms: 787.895 },
    lostAfter: 0,
    staggerMs: 0,
    serverOffsetMs: 177,
    serverDriftPpm: -5,
    interruption: { kind: 'suspend', atMs: 73_192, forMs: 26, isBack: false },
    earlierUse: 269,
  },
  promised: 3,
  keeper: 369,
  limit: 2,
  windowSeconds: 43,
  also: { promised: 7, keeper: 245, limit: 59, windowSeconds: 45, isFirst: true },
  outage: null,
};

test('a short sleep within a long proof blames nobody', () => {
  expect(hostilePromise(sleptInLongRun).violated).toEqual([]);
});

/** That others may have used the key, and explain a 429, is found out only after its limit was asked about for the first time. */
const stepped: PromiseSetting = {
  ...slept,
  hostile: {
    ...slept.hostile,
    scope: 'media',
    seed: 1_551_277_352,
    startsAtMs: 11_926,
    latencyMs: 249.99525,
    tail: { share: 0.19125, ms: 0.06 },
    lostAfter: 0,
    staggerMs: 3.65858,
    serverOffsetMs: -308,
    serverDriftPpm: 153,
    interruption: { kind: 'wall-step', atMs: 57_762, forMs: 945, isBack: true },
    earlierUse: 0,
    edges: { death: { afterShare: 0.593, isAnnounced: false }, brokenBodies: 0, isHead: false },
  },
  promised: 4,
  keeper: 903,
  limit: 147,
  windowSeconds: 60,
  also: null,
  outage: null,
};

test('what is asked before use by others is known is asked anew after it', () => {
  expect(hostilePromise(stepped).violated).toEqual([]);
});

/** The first request that counted got no answer, and the machine slept before the next one. */
const sleptAfterLost: PromiseSetting = {
  ...slept,
  hostile: {
    ...slept.hostile,
    scope: 'standard',
    seed: 1_692_813_549,
    startsAtMs: 51_299,
    latencyMs: 28.19025,
    tail: { share: 0.1999966, ms: 1_091.41 },
    lostAfter: 0.0852469,
    lateShare: 0.0229599,
    staggerMs: 12.4615,
    serverOffsetMs: -8,
    serverDriftPpm: 29,
    serverTruncates: false,
    interruption: { kind: 'suspend', atMs: 68_548, forMs: 59, isBack: false },
    earlierUse: 7,
    edges: { death: { afterShare: 0.909, isAnnounced: true }, brokenBodies: 0, isHead: false },
  },
  promised: 3,
  keeper: 880,
  limit: 12,
  windowSeconds: 60,
  also: null,
  outage: { atMs: 9, isBare: false, forMs: 24_740 },
};

test('a sleep between a request without an answer, which may have begun a window, and the next blames nobody', () => {
  expect(hostilePromise(sleptAfterLost).violated).toEqual([]);
});

test('says how many runs each promise had', () => {
  const { runs, runsOf } = playPromiseBatch({ seed: 20_261_125, runs: 20 });
  // A third of the scopes have two limits.
  const sum = Object.values(runsOf).reduce((all, one) => all + one, 0);
  expect(sum).toBeGreaterThan(runs);
  expect(sum).toBeLessThan(2 * runs);
});
