import { describe, expect, it } from 'vitest';
import type { Exchange } from '../contract/exchange.ts';
import { groupsOf } from './entries.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';
import { windowCounterFits } from './window-counter.ts';

const limit = 30;
const windowMs = 60_000;

const fits = (exchanges: readonly Exchange[]) => windowCounterFits(groupsOf(traceOf(exchanges))[0]!);

/** Fills, asks while it is full, and comes back again and again. */
const askedMs = [
  ...Array.from({ length: 40 }, (_, at) => 100 + at * 20),
  ...[20_000, 40_000, 58_000, 62_000, 66_000, 70_000, 75_000, 80_000, 90_000, 100_000, 119_000, 140_000],
];

type Decide = (atMs: number, counted: readonly number[]) => boolean;

/** What a limiter answers to these requests, each counted in the middle of its interval. */
function answered(admits: Decide, countsRejections: boolean): readonly Exchange[] {
  const counted: number[] = [];
  return askedMs.map((atMs) => {
    const passes = admits(atMs, counted);
    if (passes || countsRejections) counted.push(atMs);
    return passes ? admitted(atMs - 1, atMs + 1) : limited(atMs - 1, atMs + 1);
  });
}

/** One count for each window of a grid, that of the window before by what the rolling one still has of it. */
const counter =
  (phaseMs: number): Decide =>
  (atMs, counted) => {
    const startMs = phaseMs + Math.floor((atMs - phaseMs) / windowMs) * windowMs;
    const current = counted.filter((ms) => ms >= startMs).length;
    const previous = counted.filter((ms) => ms >= startMs - windowMs && ms < startMs).length;
    return current + previous * (1 - (atMs - startMs) / windowMs) < limit;
  };

const log =
  (lengthMs: number): Decide =>
  (atMs, counted) =>
    counted.filter((ms) => ms > atMs - lengthMs).length < limit;

describe('a window counter', () => {
  it.each([0, 7_300, 30_000, 59_000])('of any phase explains its own answers: %d ms', (phaseMs) => {
    expect(fits(answered(counter(phaseMs), false))).toBe(true);
    expect(fits(answered(counter(phaseMs), true))).toBe(true);
  });

  it('explains no 429 after too few requests, and none long after them', () => {
    expect(fits([...times(10, () => admitted(0, 2)), limited(100, 102)])).toBe(false);
    // Where rejections count the 429 is one of those before it, but no place that was taken.
    expect(fits([...times(28, () => admitted(0, 2)), limited(100, 102)])).toBe(false);
    expect(fits([...times(30, () => admitted(0, 2)), limited(100, 102)])).toBe(true);
    expect(fits([...times(30, () => admitted(0, 2)), limited(119_000, 119_002)])).toBe(false);
  });

  it('explains no more than the limit in one burst', () => {
    expect(fits(times(30, () => admitted(0, 2)))).toBe(true);
    expect(fits(times(33, () => admitted(0, 2)))).toBe(false);
  });

  it('explains places that return in part, after rejections that would have kept them if they counted', () => {
    const filled = [...times(30, () => admitted(0, 2)), ...times(60, () => limited(1_000, 1_002))];
    // A grid that begins just after the rejections still overlaps by 43 %.
    expect(fits([...filled, ...times(14, () => admitted(35_000, 35_002))])).toBe(true);
    expect(fits([...filled, ...times(20, () => admitted(35_000, 35_002))])).toBe(false);
  });

  it('explains no places that stay away for longer than two windows', () => {
    expect(fits(answered(log(130_000), false))).toBe(false);
  });

  it('explains no places that all return at once, while rejections are seen not to count', () => {
    const back = times(30, () => admitted(60_100, 60_102));
    expect(fits([...times(30, () => admitted(0, 2)), limited(60_000, 60_002), ...back])).toBe(false);
  });
});
