/** Runs in a row that must all be slower, or all faster, than every run before them: a week of nights. */
const runsInARow = 7;

/**
 * Runs that are needed before them. If all nights were alike, the last seven of 27 would be all above or all below the
 * other twenty with a probability of 2 / C(27, 7) = 1 in 444,015.
 */
const runsBefore = 20;

export type Shift = {
  /** Place of the first run of the new level. */
  readonly at: number;
  readonly from: { readonly low: number; readonly high: number };
  readonly to: { readonly low: number; readonly high: number };
};

/**
 * Lasting shifts of a figure that is noisy from run to run, such as a latency: runs in a row that are all above, or all
 * below, every run since the last shift. Only their order counts (a rank test), so that the noise may have any shape and
 * no threshold is needed. The price is that a shift is reported some runs late.
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
