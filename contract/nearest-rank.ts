declare const order: unique symbol;

/** Numbers in ascending order: only the two below make them, so that no percentile is read from an unsorted list. */
export type Ascending = Float64Array & { readonly [order]: 'ascending' };

export function sortedCopy(values: ArrayLike<number>): Ascending {
  return sortedInPlace(Float64Array.from(values));
}

/** The same without a copy, for millions of values: afterwards they are in that order. */
export function sortedInPlace(values: Float64Array): Ascending {
  return values.sort() as Ascending;
}

/**
 * The percentile by the nearest rank: the least of the values such that `percent` of a hundred are no greater; `null`
 * of no values. Percent, not a share: 0.07 × 100 is a little more than 7 in a double, and would name the eighth.
 * @param percent above 0, at most 100.
 */
export function nearestRank(values: Ascending, percent: number): number | null {
  return values[Math.ceil((percent * values.length) / 100) - 1] ?? null;
}
