/** Runs in a row that must all be slower, or all faster, than every run before them: a week of nights. */
const runsInARow = 7;

/**
 * Runs that must have been seen before. Were all nights alike, seven of 27 would lie beyond the other twenty, on one
 * given side or the other, with a chance of 2 / C(27, 7) = 1 in 444,015.
 */
const runsBefore = 20;

export type Shift = {
  /** Place of the first run of the new level. */
  readonly at: number;
  readonly from: { readonly low: number; readonly high: number };
  readonly to: { readonly low: number; readonly high: number };
};

/**
 * Lasting shifts of a figure that is noisy from run to run, such as a latency: runs in a row that all lie beyond
 * everything since the last shift. It asks for order alone (a rank test), so the noise may have any shape, and it needs
 * no threshold; the price is that a shift is told some runs late.
 * @param values one a run, oldest first; `null` where a run has none.
 */
export function shifts(values: readonly (number | null)[]): readonly Shift[] {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ value, at }]));
  const found: Shift[] = [];
  let since = 0;
  for (let next = runsBefore; next + runsInARow <= known.length; next += 1) {
    if (next - since < runsBefore) continue;
    const before = rangeOf(known.slice(since, next));
    const after = rangeOf(known.slice(next, next + runsInARow));
    if (after.low <= before.high && after.high >= before.low) continue;
    found.push({ at: known[next]?.at ?? next, from: before, to: after });
    since = next;
  }
  return found;
}

function rangeOf(points: readonly { readonly value: number }[]): {
  readonly low: number;
  readonly high: number;
} {
  const values = points.map(({ value }) => value);
  return { low: Math.min(...values), high: Math.max(...values) };
}
