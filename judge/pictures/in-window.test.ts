import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timeline } from '../../contract/pictures.ts';
import { groupsOf } from '../entries.ts';
import { admitted, indeterminate, limited, times, traceOf } from '../testing/traces.ts';
import { inWindowOf } from './in-window.ts';

const windowMs = 60_000;
const stepsMax = 2_000;

const pictured = (exchanges: Parameters<typeof traceOf>[0], rejectionsCount = false) => {
  const [group] = groupsOf(traceOf(exchanges));
  return inWindowOf(group!, { reading: rejectionsCount ? 'counted' : 'not-counted', stepsMax });
};

/** What the band says at a moment. */
const at = ({ atMs, certain, possible }: Timeline['inWindow'], ms: number) => {
  const step = atMs.findLastIndex((from) => from <= ms);
  return { least: certain[step] ?? 0, most: possible[step] ?? 0 };
};

describe('requests in the trailing window', () => {
  it('are counted at most from sending, at least from the answer, and leave a window later', () => {
    const { inWindow } = pictured([admitted(0, 100), limited(200, 210), admitted(70_000, 70_010)]);
    expect(at(inWindow, 50)).toEqual({ least: 0, most: 1 });
    expect(at(inWindow, 150)).toEqual({ least: 1, most: 1 });
    expect(at(inWindow, 59_970)).toEqual({ least: 1, most: 1 });
    expect(at(inWindow, 60_000)).toEqual({ least: 0, most: 1 });
    expect(at(inWindow, 60_200)).toEqual({ least: 0, most: 0 });
  });

  it('include rejected ones where those count, and what was never answered only perhaps', () => {
    const exchanges = [admitted(0, 10), limited(20, 30), indeterminate(40), admitted(100, 110)];
    expect(at(pictured(exchanges).inWindow, 110)).toEqual({ least: 2, most: 3 });
    expect(at(pictured(exchanges, true).inWindow, 110)).toEqual({ least: 3, most: 4 });
  });

  it('are shaded where limit + 1 were admitted inside one window, and nowhere else', () => {
    const full = times(30, (n) => admitted(n, n + 5));
    expect(pictured([...full, admitted(60_100, 60_110)]).over.certain).toEqual([]);
    const { over } = pictured([...full, admitted(30_000, 30_010), limited(80_000, 80_001)]);
    expect(over.certain).toEqual([31]);
    expect(over.fromMs).toEqual([30_010]);
    expect(over.toMs[0]).toBeGreaterThan(59_900);
    expect(over.toMs[0]).toBeLessThan(60_000);
  });

  it('begin with the first request sent, and are drawn to hundredths of a millisecond', () => {
    const { inWindow, over } = pictured([limited(10.004, 20), admitted(12.345_6, 13), indeterminate(40)]);
    expect(inWindow).toEqual({ atMs: [2.34, 3, 30], certain: [0, 1, 1], possible: [1, 1, 2] });
    expect(over).toEqual({ fromMs: [], toMs: [], certain: [] });
  });

  it('make one step where several come at one moment', () => {
    const { inWindow } = pictured(times(3, () => admitted(0, 10)));
    expect(inWindow).toEqual({ atMs: [0, 10], certain: [0, 3], possible: [3, 3] });
  });

  it('surely include no other answer, even where rejected ones count', () => {
    const { inWindow } = pictured([admitted(0, 10, { status: 503, outcome: 'refused' })], true);
    expect(inWindow).toEqual({ atMs: [0], certain: [0], possible: [1] });
  });

  it('were never surely there where the answer took longer than the window', () => {
    const { inWindow } = pictured([admitted(0, 70_000), admitted(10, 20)]);
    expect(at(inWindow, 1_000)).toEqual({ least: 1, most: 2 });
    expect(at(inWindow, 69_000)).toEqual({ least: 0, most: 1 });
    expect(at(inWindow, 70_000)).toEqual({ least: 0, most: 1 });
  });

  it('are followed until the last answer, or until the last was sent where that has none', () => {
    const last = (exchanges: Parameters<typeof traceOf>[0]) => pictured(exchanges).inWindow.atMs.at(-1);
    expect(last([admitted(0, 10), limited(60_100, 60_200)])).toBe(60_035);
    expect(last([admitted(0, 10), limited(60_000, 60_030)])).toBe(59_975);
    expect(last([admitted(0, 10), indeterminate(70_000)])).toBe(70_000);
  });

  it('are shaded with the most of each span, up to the end where they stay', () => {
    const full = times(32, (n) => admitted(n, n + 5));
    const { over } = pictured([
      ...full,
      limited(80_000, 80_001),
      ...times(31, (n) => admitted(90_000, 90_010 + n)),
    ]);
    expect(over).toEqual({
      fromMs: [35, 90_040],
      toMs: [59_976, 90_040],
      certain: [32, 31],
    });
  });

  it('are shaded where they exceed the limit most, where they do so more than a hundred times', () => {
    // Each minute a burst of 31, and of 32 in the last of them.
    const bursts = times(103, (n) => n as never).flatMap((_, n) =>
      times(n === 102 ? 32 : 31, (at) => admitted(n * 61_000 + at, n * 61_000 + at + 5)),
    );
    const { over } = pictured(bursts);
    expect(over.fromMs).toHaveLength(100);
    expect(over.certain.filter((count) => count === 32)).toHaveLength(1);
    expect(over.certain.at(-1)).toBe(32);
    expect(over.fromMs).toEqual(over.fromMs.toSorted((left, right) => left - right));
  });

  it('are drawn several as one where they are many: from the first of them, the least and the most of all', () => {
    const exchanges = [admitted(0, 10), admitted(20, 30), admitted(40, 50)];
    const [group] = groupsOf(traceOf(exchanges));
    const drawn = (most: number) => inWindowOf(group!, { reading: 'not-counted', stepsMax: most }).inWindow;
    const each = { atMs: [0, 10, 20, 30, 40, 50], certain: [0, 1, 1, 2, 2, 3], possible: [1, 1, 2, 2, 3, 3] };
    expect(drawn(6)).toEqual(each);
    expect(drawn(5)).toEqual({ atMs: [0, 20, 40], certain: [0, 1, 2], possible: [1, 2, 3] });
    expect(drawn(2)).toEqual({ atMs: [0, 30], certain: [0, 2], possible: [2, 3] });
  });

  it('lie inside the band wherever they were counted, however many steps are drawn as one', () => {
    const request = fc.record({
      sentMs: fc.integer({ min: 0, max: 200_000 }),
      tookMs: fc.integer({ min: 0, max: 3_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const property = fc.property(
      fc.array(request, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(1, 60),
      fc.integer({ min: 0, max: 203_000 }),
      (requests, copies, wholeMs) => {
        const all = requests.flatMap((one) =>
          times(copies, () => one as never),
        ) as unknown as typeof requests;
        const spread = all.map((one, n) => ({ ...one, sentMs: one.sentMs + n / 7 }));
        const { inWindow } = pictured(spread.map(({ sentMs, tookMs }) => admitted(sentMs, sentMs + tookMs)));
        expect(inWindow.atMs.length).toBeLessThanOrEqual(stepsMax);
        const originMs = Math.min(...spread.map(({ sentMs }) => sentMs));
        const endMs = Math.max(...spread.map(({ sentMs, tookMs }) => sentMs + tookMs)) - originMs;
        // Between all moments of the band, however those were rounded.
        const atMs = wholeMs + 0.0314;
        if (atMs > endMs) return;
        const counted = spread.filter(({ sentMs, tookMs, share }) => {
          const ms = sentMs + share * tookMs - originMs;
          return ms <= atMs && ms > atMs - windowMs;
        }).length;
        const { least, most } = at(inWindow, atMs);
        expect(counted).toBeGreaterThanOrEqual(least);
        expect(counted).toBeLessThanOrEqual(most);
      },
    );
    fc.assert(property, { seed: 7, numRuns: 150 });
  });
});
