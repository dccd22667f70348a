import { describe, expect, it } from 'vitest';
import { luckOfBursts } from './bursts-alike.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { admitted, limited, unanswered } from './testing/observed.ts';

const luck = (...bursts: readonly (readonly ObservedRequest[])[]) => luckOfBursts(observe(bursts.flat()));

/** A burst: so many admitted and so many refused, all of them in flight from the moment on for 10 ms. */
const burst = (ms: number, passed: number, refused = 0): readonly ObservedRequest[] => [
  ...Array.from({ length: passed }, () => admitted(ms, ms + 10)),
  ...Array.from({ length: refused }, () => limited(ms, ms + 10)),
];

/** Two bursts of four, one of which was refused whole: G is 2 * 8 * ln 2, and one share is free. */
const differing = Math.exp((1 - 16 * Math.LN2 + Math.log(16 * Math.LN2)) / 2);

describe('how likely bursts are that were refused so differently', () => {
  it('is certain where all were refused alike', () => {
    expect(luck(burst(0, 3, 1), burst(100, 3, 1))).toBe(1);
    expect(luck(burst(0, 4), burst(100, 4))).toBe(1);
    expect(luck(burst(0, 1, 15), burst(100, 2, 14), burst(200, 1, 15))).toBe(1);
  });

  it('is the bound of what chance alone would bring about', () => {
    expect(luck(burst(0, 4), burst(100, 0, 4))).toBeCloseTo(differing, 12);
    expect(luck(burst(0, 30, 2), burst(100, 2, 30), burst(200, 32))).toBeLessThan(1e-12);
  });

  it('compares bursts of one size, and takes all sizes together', () => {
    expect(luck(burst(0, 4), burst(100, 0, 3))).toBe(1);
    expect(luck(burst(0, 4), burst(100, 0, 4), burst(200, 2), burst(300, 2))).toBeCloseTo(differing, 12);
    const alike = Array.from({ length: 30 }, (_, at) => burst(1_000 + 100 * at, 3, 2));
    expect(luck(burst(0, 4), burst(100, 0, 4), ...alike)).toBeCloseTo(differing, 12);
    const others = [burst(200, 8), burst(300, 0, 8)];
    expect(luck(burst(0, 4), burst(100, 0, 4), ...others)).toBeCloseTo(differing * luck(...others), 12);
  });

  it('compares what came before the first refusal with all that came later, however alike that is', () => {
    // Three of eight were refused of each of a hundred, and none of the ten before them.
    const later = Array.from({ length: 100 }, (_, at) => burst(1_000 + 100 * at, 5, 3));
    const before = Array.from({ length: 10 }, (_, at) => burst(100 * at, 8));
    expect(luck(...later)).toBe(1);
    const share = 300 / 880;
    const all = 300 * Math.log(share) + 580 * Math.log(1 - share);
    const apart = 300 * Math.log(3 / 8) + 500 * Math.log(5 / 8);
    const statistic = 2 * (apart - all);
    expect(luck(...before, ...later)).toBeCloseTo(Math.exp((1 - statistic + Math.log(statistic)) / 2), 20);
  });

  it('looks at no burst beside which something else was in flight, nor at one request', () => {
    const long = [admitted(90, 92), admitted(90, 130)];
    expect(luck(burst(0, 0, 4), long, burst(100, 4))).toBe(1);
    expect(luck([unanswered(0)], burst(10, 0, 4), burst(100, 4))).toBe(1);
    expect(luck(...Array.from({ length: 20 }, (_, at) => burst(100 * at, at % 2, (at + 1) % 2)))).toBe(1);
    // What was answered just then was in flight no more.
    for (const ms of [100, 101]) {
      const before = [admitted(90, 92), admitted(90, ms)];
      expect(luck(burst(0, 0, 4), before, burst(100, 4))).toBeCloseTo(ms === 101 ? 1 : differing, 12);
    }
  });
});
