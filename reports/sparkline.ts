const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** The bar of a share from 0 to 1; a full one only at 1. */
export function barOf(share: number): string {
  const at = Math.floor(Math.min(1, Math.max(0, share)) * (bars.length - 1));
  return bars[at] ?? ' ';
}

/**
 * A row of bars, one for each value, from the least to the greatest; a blank where there is no value. Values that differ
 * by less than `spanMin` are drawn as equal, so that noise does not look like mountains.
 */
export function sparkline(values: readonly (number | null)[], spanMin = 0): string {
  const known = values.filter((value) => value !== null);
  const least = Math.min(...known);
  const span = Math.max(...known) - least;
  return values
    .map((value) => {
      if (value === null) return ' ';
      return barOf(span <= spanMin ? 0 : (value - least) / span);
    })
    .join('');
}
