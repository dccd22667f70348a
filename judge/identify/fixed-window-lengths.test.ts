import { describe, expect, it } from 'vitest';
import { decisiveEdges, lengthsBetween } from './fixed-window-lengths.ts';
import { observe } from './observations.ts';
import { admitted, limited } from './testing/observed.ts';

describe('moments that decide where a boundary lies', () => {
  it('are quarters of the first rows, each return, and the last refusal', () => {
    const seen = observe([
      admitted(0, 4),
      ...[admitted(100, 104), admitted(102, 111)],
      ...[limited(105, 113), limited(1_000, 1_002)],
      admitted(2_000, 2_010),
      ...[limited(2_020, 2_024), limited(2_500, 2_502), limited(3_000, 3_003)],
    ]);
    // A service that truncates its clock sees a request up to a millisecond before it was sent.
    const firstRow = [-1, 0.25, 1.5, 2.75];
    const burst = [99, 102, 105, 108];
    expect(decisiveEdges(seen)).toEqual([...firstRow, ...burst, 999, 2_010, 2_999, 3_003]);
  });

  it('are those of eight rows that lie apart where there are more, up to the first refusal', () => {
    const seen = observe([
      ...Array.from({ length: 15 }, (_, at) => admitted(100 * at, 100 * at + 3)),
      limited(1_500, 1_501),
      admitted(9_000, 9_001),
      limited(9_100, 9_101),
    ]);
    const rows = [0, 200, 400, 600, 800, 1_000, 1_200, 1_400];
    const opening = rows.flatMap((ms) => [ms - 1, ms, ms + 1, ms + 2]);
    expect(decisiveEdges(seen)).toEqual([...opening, 1_499, 9_001, 9_099, 9_101]);
  });

  it('are those of a row that begins as the first refusal is answered, and of no later one', () => {
    const beginning = (ms: number) =>
      decisiveEdges(observe([admitted(0, 4), limited(100, 104), admitted(ms, ms + 4), limited(900, 904)]));
    expect(beginning(105)).toContain(105.25);
    expect(beginning(106)).not.toContain(106.25);
  });

  it('are the edges of the first six returns', () => {
    const returning = Array.from({ length: 8 }, (_, at) => [
      limited(1_000 * at + 500),
      admitted(1_000 * at + 900),
    ]);
    const edges = decisiveEdges(observe([admitted(0), ...returning.flat(), limited(9_000)]));
    expect(edges).toContain(5_499);
    expect(edges).not.toContain(6_499);
  });
});

describe('lengths of a window with a known boundary', () => {
  const between = (edges: readonly number[]) =>
    lengthsBetween(edges, 400, { windowMs: 7_000 })
      .filter(({ lowMs, highMs }) => highMs > lowMs)
      .map(({ lowMs, highMs }) => [lowMs, highMs]);

  it('are those between which another boundary, up to four windows away, passes an edge', () => {
    const ends = [150, 200, 300, 400, 600, 1_200, 7_200_000];
    const spans = ends.slice(1).map((highMs, at) => [ends[at], highMs]);
    expect(between([1_600, 1_000])).toEqual(spans);
    // On either side of the boundary.
    expect(between([-200, -800])).toEqual(spans);
  });

  it('are no shorter than those that anybody sets, and each pair of moments counts once', () => {
    // A hundredth of a second after the boundary.
    expect(between([410, 1_000])).toEqual(between([1_000]));
    const single = (edges: readonly number[]) =>
      lengthsBetween(edges, 400, {}).filter(({ lowMs, highMs }) => highMs === lowMs);
    expect(single([1_000, 1_000, -200])).toEqual(single([]));
  });

  it('are the usual ones too, each by itself, and the one that is expected', () => {
    const single = lengthsBetween([1_000], 400, { windowMs: 7_000 }).filter(
      ({ lowMs, highMs }) => highMs === lowMs,
    );
    expect(single).toContainEqual({ lowMs: 60_000, highMs: 60_000 });
    expect(single).toContainEqual({ lowMs: 7_000, highMs: 7_000 });
    expect(single).not.toContainEqual({ lowMs: 300, highMs: 300 });
  });
});
