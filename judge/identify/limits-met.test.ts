import { describe, expect, it } from 'vitest';
import {
  counterLimitsMet,
  firstBurstOf,
  limitMetAlone,
  limitsMet,
  otherCounterLimits,
  roundBelow,
  unlikelyLimits,
} from './limits-met.ts';
import { observe } from './observations.ts';
import { admitted, limited, refused, unanswered } from './testing/observed.ts';

it.each([
  [[admitted(0), admitted(1), limited(2)], 2],
  [[admitted(0), refused(1), limited(2), admitted(5)], 1],
  [[admitted(0), limited(2, 10), admitted(5, 9)], 2],
  [[limited(0)], 1],
] as const)('the first burst is what was surely admitted by the first refusal: %#', (trace, count) => {
  expect(firstBurstOf(observe(trace))).toBe(count);
});

it.each([
  [1, 1],
  [9, 1],
  [10, 10],
  [129, 120],
] as const)('the round number up to %i is %i', (burst, round) => {
  expect(roundBelow(burst)).toBe(round);
});

/** So many a millisecond apart, and a refusal after them. */
const burstOf = (count: number) => [
  ...Array.from({ length: count }, (_, at) => admitted(at)),
  limited(count + 100),
];
const seen = observe(burstOf(23));

describe('limits that a first burst of 23 met', () => {
  it('are that number, and what is expected', () => {
    expect(limitsMet(seen, {})).toEqual([23]);
    expect(limitsMet(seen, { limit: 23 })).toEqual([23]);
    expect(limitsMet(seen, { limit: 25 })).toEqual([23, 25]);
  });

  it('are one more for each that may have counted in it, four at most', () => {
    const lost = (count: number) => Array.from({ length: count }, (_, at) => unanswered(50 + at));
    expect(limitsMet(observe([...lost(2), ...burstOf(23), unanswered(500)]), {})).toEqual([23, 24, 25]);
    expect(limitsMet(observe([...lost(9), ...burstOf(23)]), {})).toEqual([23, 24, 25, 26, 27]);
    expect(limitsMet(observe([limited(0)]), {})).toEqual([1]);
  });

  it('may have been a counter of fewer, with a boundary in its midst, and most likely of a round number', () => {
    expect(counterLimitsMet(seen, { limit: 25 })).toEqual([23, 25, 22, 20]);
    expect(counterLimitsMet(observe(burstOf(21)), {})).toEqual([21, 20]);
    expect(counterLimitsMet(observe(burstOf(1)), {})).toEqual([1]);
  });

  it('may have been a counter of one more, too', () => {
    expect(otherCounterLimits(seen)).toEqual([22, 24, 20]);
    expect(otherCounterLimits(observe(burstOf(20)))).toEqual([19, 21]);
    expect(otherCounterLimits(observe(burstOf(1)))).toEqual([2]);
  });

  it('are hardly those beside it, or what was admitted within a second', () => {
    expect(unlikelyLimits(seen)).toEqual([22, 24, 23]);
    const slow = [...burstOf(3), ...Array.from({ length: 9 }, (_, at) => admitted(5_000 + at))];
    expect(unlikelyLimits(observe(slow))).toEqual([2, 4, 9]);
    // Nothing was surely admitted within a second: that is no limit.
    expect(unlikelyLimits(observe([admitted(0, 1_500), limited(2_000), admitted(3_000, 4_500)]))).toEqual([
      2,
    ]);
  });
});

describe('a limit that a burst met alone', () => {
  /** One, and 3 s later five more; whether they come back is asked at these moments. */
  const asked = (...moments: readonly number[]) => [
    admitted(0),
    ...[3_000, 3_010, 3_020, 3_030, 3_040].map((ms) => admitted(ms)),
    limited(3_050),
    ...moments.slice(0, -1).map((ms) => limited(ms)),
    ...moments.slice(-1).map((ms) => admitted(ms)),
  ];

  it('is that of a window that was over before it', () => {
    expect(limitMetAlone(observe(asked(4_000)))).toEqual([5]);
    expect(limitMetAlone(observe(asked(5_000, 6_049, 7_000)))).toEqual([5]);
    expect(limitMetAlone(observe([...asked(4_000), admitted(70_000)]))).toEqual([5]);
  });

  it('is none where nothing came back for as long as the request before it had been there', () => {
    expect(limitMetAlone(observe(asked(5_000, 6_050, 7_000)))).toEqual([]);
    expect(limitMetAlone(observe(asked()))).toEqual([]);
  });

  it('is none without a pause, and none of one request, which is a gap', () => {
    expect(limitMetAlone(observe([...burstOf(23), admitted(200)]))).toEqual([]);
    expect(limitMetAlone(observe([admitted(0), admitted(3_000), limited(3_050), admitted(4_000)]))).toEqual(
      [],
    );
  });

  it('begins after the longest of several pauses', () => {
    const halting = [
      admitted(0),
      admitted(3_000),
      admitted(3_400),
      admitted(3_410),
      limited(3_450),
      admitted(4_000),
    ];
    expect(limitMetAlone(observe(halting))).toEqual([3]);
    const later = [0, 400, 3_500, 3_510].map((ms) => admitted(ms));
    expect(limitMetAlone(observe([...later, limited(3_550), admitted(4_000)]))).toEqual([2]);
    const even = [0, 2_000, 4_000, 4_010].map((ms) => admitted(ms));
    expect(limitMetAlone(observe([...even, limited(4_050), admitted(4_500)]))).toEqual([3]);
  });
});
