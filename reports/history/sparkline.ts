const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/**
 * A row of bars, one a value, from the least to the greatest of them; a blank where there is no value. Values that
 * differ by less than `spanMin` are drawn as equal, so that noise does not look like mountains.
 */
export function sparkline(values: readonly (number | null)[], spanMin = 0): string {
  const known = values.filter((value) => value !== null);
  const least = Math.min(...known);
  const span = Math.max(...known) - least;
  return values
    .map((value) => {
      if (value === null) return ' ';
      const share = span <= spanMin ? 0 : (value - least) / span;
      return bars[Math.min(bars.length - 1, Math.floor(share * bars.length))] ?? ' ';
    })
    .join('');
}
