import { describe, expect, it } from 'vitest';
import { bestOfEach, earlyFits, isExplained, likelyFits, steppedFits, unlikelyFits } from './all-fits.ts';
import type { Fit } from './fit.ts';
import { observe } from './observations.ts';
import { admitted, limited, unanswered } from './testing/observed.ts';

const fitOf = (algorithm: Fit['algorithm'], more: Partial<Fit> = {}): Fit => ({
  algorithm,
  limit: 30,
  window: { lowMs: 59_000, highMs: 60_500 },
  lengthMs: 60_000,
  contradictedBy: [],
  plausibility: 1,
  ...more,
});

describe('the best of each class', () => {
  it('is that with the fewest contradictions, the best class first', () => {
    const log = fitOf('sliding-log', { contradictedBy: [1] });
    const [poor, good] = [
      fitOf('two-bucket', { contradictedBy: [1, 2], plausibility: 9 }),
      fitOf('two-bucket'),
    ];
    const block = fitOf('block-on-reject', { contradictedBy: [1], plausibility: 2 });
    expect(bestOfEach([log, poor, block, good], {})).toEqual([good, block, log]);
  });

  it('is none that nothing makes plausible, unless nothing does', () => {
    const [never, other] = [
      fitOf('token-bucket', { plausibility: 0 }),
      fitOf('sliding-log', { contradictedBy: [1] }),
    ];
    expect(bestOfEach([never, other], {})).toEqual([other]);
    expect(bestOfEach([never], {})).toEqual([never]);
    expect(bestOfEach([], {})).toEqual([]);
  });

  it('explains a trace where nothing contradicts it', () => {
    expect(isExplained([fitOf('sliding-log'), fitOf('two-bucket', { contradictedBy: [1] })])).toBe(true);
    expect(isExplained([fitOf('sliding-log', { contradictedBy: [1] }), fitOf('two-bucket')])).toBe(false);
    expect(isExplained([])).toBe(false);
  });
});

describe('nothing is fitted', () => {
  it.each([
    ['where nothing was refused', [admitted(0), admitted(1)]],
    ['where nothing came back', [admitted(0), limited(1)]],
  ])('%s', (_, trace) => {
    const seen = observe(trace);
    for (const fits of [likelyFits, earlyFits, unlikelyFits, steppedFits]) expect(fits(seen, {})).toEqual([]);
  });
});

it('a queue is seen where nothing was ever refused, and where nothing came back', () => {
  const waiting = [
    admitted(0, 4),
    ...Array.from({ length: 40 }, (_, at) => admitted(3_000, 3_504 + 500 * at)),
  ];
  for (const trace of [waiting, [...waiting, limited(3_001)]]) {
    const fits = likelyFits(observe(trace), {});
    expect(fits.map(({ algorithm }) => algorithm)).toEqual(['leaky-bucket-queue']);
  }
});

/** Three in 10 s from the first request. */
const three = [
  ...[0, 10, 20].map((ms) => admitted(ms, ms + 2)),
  ...[30, 5_000, 9_950].map((ms) => limited(ms, ms + 2)),
  ...[10_050, 10_060, 10_070].map((ms) => admitted(ms, ms + 2)),
  ...[10_080, 15_000].map((ms) => limited(ms, ms + 2)),
];

describe('every class', () => {
  it('is fitted with the limit of the first burst', () => {
    const fits = likelyFits(observe(three), { limit: 3, windowMs: 10_000 });
    const window = fits.find(({ algorithm }) => algorithm === 'fixed-window-first-request');
    expect(window).toMatchObject({ limit: 3, lengthMs: 10_000, contradictedBy: [] });
    const names = fits.map(({ algorithm }) => algorithm);
    expect(names).toContain('sliding-log');
    expect(names).toContain('fixed-window-phase');
    expect(names).toContain('extend-on-reject');
    expect(new Set(names).size).toBe(names.length);
  });

  it('is fitted with one more for each that may have counted, and with what is expected', () => {
    const limits = (trace: typeof three, limit?: number) =>
      likelyFits(observe(trace), { limit }).find(({ algorithm }) => algorithm === 'sliding-log')?.limit;
    // Two admitted, one unknown: a log of three explains it, one of two does not.
    const some = three.map((one, at) => (at === 1 ? unanswered(one.sentMs) : one));
    expect(limits(three)).toBe(3);
    expect(limits(some)).toBe(3);
    // Where everything explains it, what is expected does.
    const open = [...three.slice(0, 3), limited(30), admitted(60_000)];
    expect([limits(open), limits(open, 2)]).toEqual([3, 3]);
  });

  it('of a counter is fitted with limits beside it where the first burst met a boundary', () => {
    const seen = observe(three);
    expect(new Set(unlikelyFits(seen, {}).map(({ limit }) => limit))).toEqual(new Set([2, 3, 4]));
    const early = earlyFits(seen, {});
    expect(early.every(({ algorithm }) => algorithm === 'two-bucket')).toBe(true);
    expect(new Set(early.map(({ limit }) => limit))).toEqual(new Set([2, 3, 4]));
  });

  it('of a bucket, a log or a counter is fitted in steps too', () => {
    const stepped = steppedFits(observe(three), {});
    expect(new Set(stepped.map(({ algorithm }) => algorithm))).toEqual(
      new Set(['token-bucket', 'leaky-bucket', 'sub-window-log', 'two-bucket']),
    );
  });
});
