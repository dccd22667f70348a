import type { Hints, Span } from './fit.ts';
import { alignedLengthsMs } from './grid.ts';
import type { Observations } from './observations.ts';
import { returnsOf } from './returns.ts';

/** Where capacity came back more often than this, the lengths are usual ones, or it is not one window on a grid. */
const returnsMax = 6;

/** Moments at which it can matter whether a boundary comes before or after: none of those between two refusals. */
export function decisiveEdges(seen: Observations): readonly number[] {
  const { refusals, rows, high, low } = seen;
  const [first = 0] = refusals;
  const last = refusals.at(-1) ?? 0;
  const opening = spread(rows.filter(({ lowMs }) => lowMs <= (high[first] as number))).flatMap(quartered);
  const end: Span = { lowMs: low[last] as number, highMs: high[last] as number };
  return [...opening, ...returnsOf(seen).slice(0, returnsMax), end].flatMap(({ lowMs, highMs }) => [
    lowMs,
    highMs,
  ]);
}

const shortestMs = 150;
const longestMs = 7_200_000;

/** An edge may be so many windows away from the boundary. */
const windowsApart = [1, 2, 3, 4] as const;

/** Lengths between those that put another boundary on an edge, and each usual length by itself. */
export function lengthsBetween(edges: readonly number[], boundaryMs: number, hints: Hints): readonly Span[] {
  const critical = new Float64Array(edges.length * windowsApart.length);
  let count = 0;
  for (const edgeMs of edges) {
    for (const apart of windowsApart) {
      critical[count] = Math.abs(edgeMs - boundaryMs) / apart;
      count += 1;
    }
  }
  critical.sort();
  const between: Span[] = [];
  let lowMs: number = shortestMs;
  for (let at = 0; at <= critical.length; at += 1) {
    const highMs = critical[at] ?? longestMs;
    if (highMs > lowMs) between.push({ lowMs, highMs });
    lowMs = Math.max(lowMs, highMs);
  }
  return [...between, ...alignedLengthsMs(hints).map((ms): Span => ({ lowMs: ms, highMs: ms }))];
}

/** Rows of the beginning that are looked at; where there are more, this many that lie apart. */
const openingMax = 8;

function spread(rows: readonly Span[]): readonly Span[] {
  const step = Math.max(1, (rows.length - 1) / (openingMax - 1));
  const places = Array.from({ length: Math.min(openingMax, rows.length) }, (_, at) => Math.round(at * step));
  return places.map((place) => rows[place] as Span);
}

/** Where in a row of bursts a boundary lies makes little difference: its quarters are enough. */
function quartered({ lowMs, highMs }: Span): readonly Span[] {
  const quarterMs = (highMs - lowMs) / 4;
  return [0, 2].map((at) => ({ lowMs: lowMs + at * quarterMs, highMs: lowMs + (at + 1) * quarterMs }));
}
