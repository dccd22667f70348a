import { expect, it } from 'vitest';
import type { Cap } from './cap.ts';
import type { Fit } from './fit.ts';
import { observe } from './observations.ts';
import { admitted, limited } from './testing/observed.ts';
import { firstUnder, leftUnder, limitsOnTop, longerGrids, plausibilityOf, underIt } from './under-cap.ts';

const capOf = (limit: number, lengthMs = 1_000, kind: Cap['kind'] = 'window'): Cap => ({
  limit,
  lengthMs,
  kind,
});

const fitOf = (more: Partial<Fit> = {}): Fit => ({
  algorithm: 'sliding-log',
  limit: 30,
  window: { lowMs: 2_000, highMs: 2_000 },
  lengthMs: 2_000,
  contradictedBy: [],
  plausibility: 1,
  ...more,
});

const together = (ms: number, count: number) => Array.from({ length: count }, () => admitted(ms));

it('a limit on a shorter time is what passed in it, before most refusals, or in the first burst', () => {
  const found = (...chunks: Parameters<typeof observe>[0][]) => limitsOnTop(observe(chunks.flat()), 1_000);
  expect(found(together(0, 12), [limited(10)])).toEqual([12, 10]);
  // Around the end of a window up to twice as many pass.
  const around = [...together(5_000, 6), ...together(5_100, 6), limited(5_200)];
  expect(found(together(0, 6), [limited(10)], [limited(500)], around)).toEqual([6, 12]);
  expect(found(together(0, 5), [limited(10)], [limited(500)], around)).toEqual([12]);
  expect(found(together(0, 6), together(3_000, 6), [limited(3_010)])).toEqual([6]);
});

it('what it leaves is some of the refusals', () => {
  const full = [...together(0, 4), limited(100)];
  const left = leftUnder(observe([...full, limited(5_000)]), capOf(4));
  expect(left?.limited).toEqual([5]);
  expect(leftUnder(observe(full), capOf(4))).toBeNull();
  expect(leftUnder(observe([...together(0, 4), limited(5_000)]), capOf(4))).toBeNull();
});

it('under it all has to be explained, by what is at least twice as long, or under a second by anything', () => {
  const twice = fitOf();
  const short = fitOf({ lengthMs: 1_999 });
  expect(underIt(capOf(4), [twice])).toEqual({ cap: capOf(4), fits: [twice] });
  expect(underIt(capOf(4), [short])).not.toBeNull();
  expect(underIt(capOf(4, 1_000, 'grid'), [short])).toBeNull();
  expect(underIt(capOf(4, 1_000, 'grid'), [twice])).not.toBeNull();
  expect(underIt(capOf(4, 1_001), [twice])).toBeNull();
  expect(underIt(capOf(4), [fitOf({ contradictedBy: [1] })])).toBeNull();
  expect(underIt(capOf(4), [])).toBeNull();
  // What is in flight or waits explains whatever is left.
  expect(underIt(capOf(4), [fitOf({ algorithm: 'concurrency-limit' }), twice])).toBeNull();
  expect(underIt(capOf(4), [fitOf({ algorithm: 'leaky-bucket-queue' }), twice])).toBeNull();
});

it('under a window of the wall clock lies one that lets more pass', () => {
  const grid = (limit: number) => fitOf({ algorithm: 'fixed-window-wall-clock', limit });
  expect(longerGrids(capOf(4), [grid(4), grid(5), fitOf(), fitOf({ limit: 3 })])).toEqual([grid(5)]);
});

it('the first limit that needs no odd settings is taken, else the first with any', () => {
  const odd = fitOf({ plausibility: 1e-6 });
  const found = (...fits: readonly (Fit | null)[]) =>
    firstUnder(
      fits.map((_, at) => capOf(at)),
      (cap) => {
        const one = fits[cap.limit] ?? null;
        return one === null ? null : { cap, fits: [one] };
      },
    )?.cap.limit;
  expect(found(null, fitOf(), fitOf())).toBe(1);
  expect(found(odd, null, fitOf())).toBe(2);
  expect(found(null, odd, odd)).toBe(1);
  expect(found(null)).toBeUndefined();
});

it('two limits are as plausible together as both by themselves', () => {
  const plausible = (limit: number, lengthMs: number, plausibility: number) =>
    plausibilityOf({ cap: capOf(limit, lengthMs), fits: [fitOf({ plausibility })] }, { limit: 7 });
  expect(plausible(10, 10_000, 0.4) / plausible(10, 10_000, 0.1)).toBeCloseTo(4, 9);
  // A limit that is expected, and any other.
  expect(plausible(7, 10_000, 0.1) / plausible(13, 10_000, 0.1)).toBeCloseTo(500, 6);
  expect(plausible(10, 10_000, 0.1)).toBeGreaterThan(5 * plausible(10, 10_333, 0.1));
  expect(plausibilityOf({ cap: capOf(10), fits: [] }, {})).toBe(0);
});
