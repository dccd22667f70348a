import { countBelow } from '../counting.ts';

/** Points in ascending order of `x`; `before` holds for each the corner before it of the upper hull of all up to it. */
export type Points = { readonly x: Float64Array; readonly y: Float64Array; readonly before: Int32Array };

/** Prepares points whose `x` ascends, so that many questions about them are cheap. */
export function pointsOf(x: Float64Array, y: Float64Array): Points {
  const before = new Int32Array(x.length).fill(-1);
  for (let at = 1; at < x.length; at += 1) {
    let corner = at - 1;
    while (before[corner] !== -1 && !isCorner({ x, y }, { corner, from: before[corner] as number, to: at })) {
      corner = before[corner] as number;
    }
    before[at] = corner;
  }
  return { x, y, before };
}

type Corner = { readonly corner: number; readonly from: number; readonly to: number };

/** Whether a point lies above the line from the corner before it to a later point. */
function isCorner({ x, y }: Omit<Points, 'before'>, { corner, from, to }: Corner): boolean {
  const [runs, rises] = [(x[to] as number) - (x[from] as number), (y[to] as number) - (y[from] as number)];
  const along = (x[corner] as number) - (x[from] as number);
  return ((y[corner] as number) - (y[from] as number)) * runs > rises * along;
}

type Target = {
  readonly x: number;
  readonly y: number /** How many points, from the first on. */;
  readonly count: number;
};

/**
 * The least slope of a line from any of the first points to a target to the right of them; infinite where there is none. On the
 * upper hull the slope falls, and then rises.
 */
export function leastSlope(points: Points, { x, y, count }: Target): number {
  const slope = (at: number): number => (y - (points.y[at] as number)) / (x - (points.x[at] as number));
  let at = Math.min(count, countBelow(points.x, x)) - 1;
  if (at < 0) return Number.POSITIVE_INFINITY;
  let least = slope(at);
  for (at = points.before[at] as number; at !== -1; at = points.before[at] as number) {
    const next = slope(at);
    if (next > least) break;
    least = next;
  }
  return least;
}
