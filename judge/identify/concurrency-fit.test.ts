import { describe, expect, it } from 'vitest';
import { fitConcurrency, possiblyBeside } from './concurrency-fit.ts';
import { type ObservedRequest, observe } from './observations.ts';
import { admitted, limited, unanswered } from './testing/observed.ts';

const fitted = (...trace: readonly ObservedRequest[]) => fitConcurrency(observe(trace));

/** So many that are in work from 0 to 100 ms. */
const inWork = (count: number) => Array.from({ length: count }, () => admitted(0, 100));

describe('a limit on requests in flight', () => {
  it('is as many as were in work while one was refused', () => {
    expect(fitted(...inWork(3), limited(10, 20), admitted(200, 300))).toEqual({
      algorithm: 'concurrency-limit',
      limit: 3,
      window: { lowMs: 0, highMs: 101 },
      lengthMs: 101,
      contradictedBy: [],
      plausibility: 0.3,
    });
  });

  it('is at most as many as may have been beside any refusal', () => {
    expect(fitted(...inWork(4), limited(10, 20), admitted(300, 400), limited(310, 320)).limit).toBe(1);
    expect(
      fitted(...inWork(4), limited(10, 20), ...inWork(2).map((one) => ({ ...one, sentMs: 50 }))).limit,
    ).toBe(4);
  });

  it('is the roundest of those that may be', () => {
    // Eleven and what was never answered: any number from eleven on.
    const perhaps = Array.from({ length: 12 }, () => unanswered(0));
    expect(fitted(...inWork(11), ...perhaps, limited(10, 20)).limit).toBe(20);
    expect(fitted(...inWork(7), limited(10, 20)).limit).toBe(7);
  });

  it('is contradicted by a refusal of a request that was alone', () => {
    expect(fitted(admitted(0, 100), limited(10, 20), limited(150, 160)).contradictedBy).toEqual([2]);
    expect(fitted(admitted(0, 100), limited(150, 160))).toMatchObject({
      limit: 2,
      lengthMs: 0,
      contradictedBy: [1],
    });
  });

  it('counts what was on its way for the whole time, and no other, among what surely was in work', () => {
    // Of 9 that may have been in work 6 surely were: any number from 6 to 9, and none of them is round.
    const part = [admitted(0, 15), admitted(15, 100), admitted(18, 30)];
    expect(fitted(...inWork(6), ...part, limited(10, 20)).limit).toBe(9);
    // Of 10 that may have been, 4 surely were.
    expect(fitted(...inWork(4), ...part, ...part, limited(10, 20)).limit).toBe(10);
    expect(fitted(...inWork(4), ...part, ...part, admitted(12, 90), limited(10, 20)).limit).toBe(10);
    expect(fitted(...inWork(10), admitted(12, 90), limited(10, 20)).limit).toBe(10);
    expect(fitted(...inWork(11), limited(10, 20)).limit).toBe(11);
    expect(fitted(...inWork(10), admitted(10, 20), limited(10, 20)).limit).toBe(11);
  });

  it('counts what was sent as it was, and not what was answered before it', () => {
    expect(fitted(...inWork(10), admitted(11, 100), limited(10, 20)).limit).toBe(11);
    expect(fitted(...inWork(10), admitted(5, 15), limited(10, 20)).limit).toBe(10);
  });

  it('is hardly ever one that a request without an answer holds for good', () => {
    const plausibility = (...trace: readonly ObservedRequest[]) => fitted(...trace).plausibility;
    expect(plausibility(unanswered(0), admitted(1, 5), limited(10))).toBe(1e-3);
    expect(plausibility(unanswered(0), admitted(0, 100), limited(10))).toBe(0.3);
    expect(plausibility(admitted(0, 100), limited(10, 20), unanswered(30))).toBe(0.3);
    // It may have come at the very moment.
    expect(plausibility(admitted(0, 5), limited(10, 20), unanswered(21))).toBe(1e-3);
    const crowded = [admitted(200, 300), admitted(200, 300), limited(210, 220)];
    expect(plausibility(unanswered(0), admitted(1, 5), limited(10), ...crowded)).toBe(1e-3);
  });

  it('is hardly ever one that lets pass whole what it refused nearly whole', () => {
    const passed = (ms: number, count: number) =>
      Array.from({ length: 8 }, (_, at) => (at < count ? admitted(ms, ms + 50) : limited(ms, ms + 50)));
    const plausibility = (...counts: readonly number[]) =>
      fitted(...counts.flatMap((count, at) => passed(100 * at, count))).plausibility;
    expect(plausibility(2, 3, 2, 4)).toBe(0.3);
    expect(plausibility(2, 8)).toBeLessThan(0.3 / 20);
    const often = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 2 : 8));
    expect(plausibility(...often)).toBeCloseTo(0.3 * 1e-8, 12);
  });

  it('has the time in work of what overlaps the first to the last refusal', () => {
    const trace = [
      admitted(10_000, 10_080),
      admitted(10_040, 10_541),
      limited(10_050, 10_060),
      admitted(10_200, 10_300),
      admitted(10_480, 10_800),
      limited(10_500, 10_510),
    ];
    // A millisecond more than 80, 100, 320 and 501.
    expect(fitted(...trace).lengthMs).toBe(321);
  });

  it('has the time in work of what was sent as the last was answered, or answered as the first was sent', () => {
    // A millisecond more than 20 and 109, and than 100 and 500.
    expect(fitted(admitted(0, 109), admitted(100, 120), limited(110, 120)).lengthMs).toBe(110);
    expect(fitted(admitted(0, 100), limited(10, 20), admitted(21, 521)).lengthMs).toBe(501);
  });

  it('has the median time in work of what was beside the refusals', () => {
    const trace = [
      admitted(0, 9_000),
      admitted(10_000, 10_100),
      admitted(10_000, 10_300),
      limited(10_050, 10_060),
      admitted(10_060, 10_260),
      limited(10_070, 10_080),
      admitted(20_000, 27_000),
    ];
    expect(fitted(...trace).lengthMs).toBe(201);
  });
});

it.each([
  ['what was answered before it was sent', [admitted(0, 10), limited(11, 20)], 0],
  ['what was answered as it was sent', [admitted(0, 10), limited(10, 20)], 0],
  ['what was answered after it was sent', [admitted(0, 10.5), limited(10, 20)], 1],
  ['what was sent as it was answered', [limited(10, 20), admitted(21, 30)], 1],
  ['what was sent after it was answered', [limited(10, 20), admitted(21.5, 30)], 0],
  ['other refusals', [limited(10, 20), limited(12, 30)], 0],
] as const)('beside a refusal: %s', (_, trace, count) => {
  const seen = observe(trace);
  expect(possiblyBeside(seen, seen.refusals[0] ?? 0)).toBe(count);
});
