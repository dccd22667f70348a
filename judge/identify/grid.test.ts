import { describe, expect, it } from 'vitest';
import { alignedLengthsMs, cellStart, wallBoundaryIn } from './grid.ts';
import { observe, wallClockMs } from './observations.ts';

it.each([
  [1_000, 1_000],
  [1_999, 1_000],
  [999, 0],
  [-1, -1_000],
  [3_500, 3_000],
])('the cell of %d began at %d', (ms, startMs) => {
  expect(cellStart({ boundaryMs: 2_000, windowMs: 1_000 }, ms)).toBe(startMs);
});

describe('the boundary of the wall clock', () => {
  // A quarter of a second before a whole minute.
  const seen = observe([{ sentMs: 1_760_000_039_750, receivedMs: 1_760_000_039_760, outcome: 'admitted' }]);
  const boundary = (lowMs: number, highMs: number) => wallBoundaryIn(seen, { lowMs, highMs }, 60_000);

  it('is the one in the span', () => {
    expect(boundary(0, 1_000)).toBe(250);
    expect(boundary(251 + wallClockMs, 70_000)).toBe(60_250);
  });

  it('is the nearer end of the span where it lies just beside it', () => {
    expect(boundary(0, 250 - wallClockMs)).toBe(250 - wallClockMs);
    expect(boundary(250 + wallClockMs, 1_000)).toBe(250 + wallClockMs);
  });

  it('is none where it lies further off', () => {
    expect(boundary(0, 249 - wallClockMs)).toBeNull();
    expect(boundary(251 + wallClockMs, 1_000)).toBeNull();
  });
});

it('the lengths that are looked for are the usual ones and the one that is expected, in order', () => {
  const usual = alignedLengthsMs({});
  expect(usual).toEqual(usual.toSorted((left, right) => left - right));
  expect(usual).toContain(60_000);
  expect(alignedLengthsMs({ windowMs: 60_000 })).toEqual(usual);
  expect(alignedLengthsMs({ windowMs: 25_000 })).toEqual(
    [...usual, 25_000].toSorted((left, right) => left - right),
  );
});
