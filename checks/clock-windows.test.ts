import fc from 'fast-check';
import { expect, it } from 'vitest';
import { promiseOf } from '../contract/document/promise.ts';
import {
  alignmentOf,
  apartFromBoundariesMs,
  apartMsMax,
  boundaryAsksMs,
  haveApart,
} from './clock-windows.ts';

const minute = { windowMs: 60_000, skewMs: 5_000 };
const atMs = 1_760_000_040_000;

it('asks around the next boundary, by more than what clocks may be off', () => {
  expect(boundaryAsksMs(atMs, minute)).toEqual([atMs + 54_850, atMs + 66_150]);
});

it('asks nothing of windows that clocks may be off by', () => {
  const windows = { windowMs: 10_000, skewMs: 5_000 };
  expect(haveApart(windows)).toBe(false);
  expect(boundaryAsksMs(atMs, windows)).toEqual([]);
});

it.each([
  ['long after a boundary', 20_000, 20_000],
  ['right after a boundary', 20, 9_150],
  ['before a boundary', 50_000, 69_150],
])('begins apart from boundaries: %s', (_when, afterMs, begunMs) => {
  expect(apartFromBoundariesMs(atMs + afterMs, minute, 8_000)).toBe(atMs + begunMs);
});

it('begins where nothing is near, and soon', () => {
  const windows = fc
    .record({
      windowMs: fc.integer({ min: 30_000, max: 3_600_000 }),
      skewMs: fc.integer({ min: 0, max: 5_000 }),
    })
    .filter(haveApart);
  fc.assert(
    fc.property(windows, fc.nat({ max: 7_200_000 }), (one, afterMs) => {
      const whileMs = one.windowMs / 8;
      const begunMs = apartFromBoundariesMs(atMs + afterMs, one, whileMs);
      const sinceMs = begunMs % one.windowMs;
      expect(sinceMs).toBeGreaterThan(one.skewMs + 1_000);
      expect(one.windowMs - sinceMs).toBeGreaterThanOrEqual(whileMs + one.skewMs);
      expect(begunMs - atMs - afterMs).toBeGreaterThanOrEqual(0);
      expect(begunMs - atMs - afterMs).toBeLessThanOrEqual(apartMsMax(one, whileMs));
    }),
  );
});

it('is told by the document alone which windows begin by the clock', () => {
  const said = (promise: Parameters<typeof promiseOf>[0]['promise']) =>
    alignmentOf(promiseOf({ promise, limit: 9 })) === 'clock';
  expect(said({ kind: 'fixed', aligned: 'clock' })).toBe(true);
  expect([said('fixed'), said('rolling'), said({ kind: 'fixed', aligned: 'first-request' })]).toEqual([
    false,
    false,
    false,
  ]);
});
