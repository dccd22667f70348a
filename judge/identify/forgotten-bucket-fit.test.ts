import { describe, expect, it } from 'vitest';
import { extendOnReject } from '../../limiters/extend-on-reject.ts';
import { type Forgets, openForgetful } from '../../limiters/forgetful.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { fitForgottenBuckets, longestPauseMs } from './forgotten-bucket-fit.ts';
import { inWholeSeconds, observe } from './observations.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { admitted, limited } from './testing/observed.ts';
import { burst, originMs, played } from './testing/played.ts';

const latency = { latencyMs: () => 1 };

/** A bucket of ten that is full again in a minute, and asked until it has given one more each 6 s; each pause is 3 s longer than the one before. */
const asking = [
  ...burst(0, 12),
  ...Array.from({ length: 30 }, (_, at) => 500 * (at + 1)),
  ...burst(18_000, 12),
  ...Array.from({ length: 15 }, (_, at) => 18_500 + 500 * at),
  ...burst(31_500, 12),
  ...Array.from({ length: 15 }, (_, at) => 32_000 + 500 * at),
];

/** What a bucket admits that is full again wherever it forgets. */
function forgetting(forgets: Forgets, sending: readonly number[] = asking, limit = 10) {
  const bucket = tokenBucket({ limit, windowMs: 6_000 * limit });
  const window = openForgetful(() => openWindow(bucket), forgets);
  return observe(played((nowMs) => window.decide(nowMs).admitted, sending, latency));
}

const pausedFor =
  (ms: number): Forgets =>
  (nowMs, previousMs) =>
    nowMs - previousMs > ms;

describe('a bucket that is forgotten', () => {
  it('is found, with the pauses after which it is', () => {
    const [fit] = fitForgottenBuckets(forgetting(pausedFor(2_900)), 10, {});
    expect(fit).toMatchObject({ algorithm: 'token-bucket', limit: 10, lengthMs: 60_000, contradictedBy: [] });
    expect(fit?.window.lowMs).toBeLessThanOrEqual(60_000);
    expect(fit?.window.highMs).toBeGreaterThanOrEqual(60_000);
    expect(fit?.forgottenAfter?.highMs).toBeLessThanOrEqual(3_100);
  });

  it('is told from one that is forgotten after longer pauses alone', () => {
    const found = fitForgottenBuckets(forgetting(pausedFor(5_000)), 10, {});
    expect(found.length).toBeGreaterThan(0);
    for (const { forgottenAfter } of found) {
      expect(forgottenAfter?.lowMs).toBeGreaterThanOrEqual(2_900);
      expect(forgottenAfter?.highMs).toBeLessThanOrEqual(7_000);
    }
  });

  it('is told by the length of a pause alone, wherever it lies in a second', () => {
    // Both lengths pass two turns of a second, or three.
    const pauses = [2_600, 2_400, 2_600, 2_600, 2_400, 2_400, 2_600, 2_400, 2_600, 2_400];
    let atMs = 0;
    const bursts = pauses.flatMap((pauseMs) => {
      atMs += pauseMs + 11;
      return burst(atMs, 12);
    });
    const dripping = Array.from({ length: 40 }, (_, at) => atMs + 12 + 400 * at);
    const [fit, ...others] = fitForgottenBuckets(
      forgetting(pausedFor(2_500), [...burst(0, 12), ...bursts, ...dripping]),
      10,
      {},
    );
    expect(others).toEqual([]);
    expect(fit?.forgottenAfter?.lowMs).toBe(2_400);
    expect(fit?.forgottenAfter?.highMs).toBe(2_600);
    const { window = { lowMs: 0, highMs: 0 } } = fit ?? {};
    const weight = windowPlausibility(window, {}) * limitPlausibility(10, {});
    expect(fit?.plausibility).toBeCloseTo(0.1 * weight, 12);
  });

  it('may have got tokens while the first burst was sent', () => {
    const found = fitForgottenBuckets(forgetting(pausedFor(2_900)), 12, {});
    expect(found.map(({ limit }) => limit)).toEqual([10]);
  });

  it('holds two at least', () => {
    const of = (limit: number) =>
      fitForgottenBuckets(forgetting(pausedFor(2_900), asking, limit), limit, {}).map((fit) => fit.limit);
    expect(of(2)).toEqual([2]);
    expect(of(1)).toEqual([]);
  });

  it('may be so by a clock of whole seconds', () => {
    const second = (ms: number): number => Math.floor(ms / 1_000);
    const bySecond: Forgets = (nowMs, previousMs) => second(nowMs) - second(previousMs) > 2;
    // Pauses of 2.4 s are too long or not, by where they lie in a second.
    const pauses = Array.from({ length: 12 }, (_, at) => [...burst(2_440 * (at + 1), 5)]).flat();
    const sending = [...burst(0, 12), ...pauses, ...Array.from({ length: 40 }, (_, at) => 29_600 + 400 * at)];
    const found = fitForgottenBuckets(forgetting(bySecond, sending), 10, {});
    expect(found).toMatchObject([{ limit: 10, forgottenAfter: { lowMs: 2_000, highMs: 3_000 } }]);
    expect(originMs % 1_000).not.toBe(0);
  });

  it('is none that is kept, and no block that is prolonged by whoever asks', () => {
    expect(
      fitForgottenBuckets(
        forgetting(() => false),
        10,
        {},
      ),
    ).toEqual([]);
    const block = openWindow(extendOnReject({ limit: 10, windowMs: 2_900 }));
    const seen = observe(played((nowMs) => block.decide(nowMs).admitted, asking, latency));
    expect(fitForgottenBuckets(seen, 10, {})).toEqual([]);
  });

  it('is not looked for in whole seconds, nor without a pause', () => {
    const seen = forgetting(pausedFor(2_900));
    expect(fitForgottenBuckets(inWholeSeconds(seen), 10, {})).toEqual([]);
    expect(fitForgottenBuckets(observe([admitted(0), limited(1), admitted(800)]), 2, {})).toEqual([]);
  });
});

it('the longest pause is the longest time between two requests', () => {
  expect(longestPauseMs(observe([admitted(0), limited(700), admitted(1_000)]))).toBe(700);
  expect(longestPauseMs(observe([admitted(0)]))).toBe(0);
});
