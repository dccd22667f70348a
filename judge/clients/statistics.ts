/** Standard deviations on either side that hold 99 % of a normal distribution. */
const confident = 2.576;

export const confidenceText = '99 % confidence';

/**
 * The interval that holds a share with 99 % confidence, where `count` of `of` were counted (Wilson, 1927: it stays honest
 * for few and for extreme ones). Where nothing was counted it is from 0 to 1.
 */
export function shareInterval(count: number, of: number): { readonly low: number; readonly high: number } {
  if (of === 0) return { low: 0, high: 1 };
  const share = count / of;
  const squared = confident ** 2;
  const middle = (share + squared / (2 * of)) / (1 + squared / of);
  const half =
    (confident * Math.sqrt((share * (1 - share)) / of + squared / (4 * of ** 2))) / (1 + squared / of);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The middle one of the values; of an even number the mean of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** Least-squares slope of values over their positions; 0 for fewer than two. */
export function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  let above = 0;
  let below = 0;
  values.forEach((value, at) => {
    above += (at - middle) * value;
    below += (at - middle) ** 2;
  });
  return below === 0 ? 0 : above / below;
}

/**
 * Whether series rise, in standard deviations of what chance alone would do: of all pairs within a series, how many rise
 * less how many fall (Kendall, 1938), over all series together. For series whose order is chance it is about standard
 * normal, whatever their values are distributed like.
 */
export function risingScore(series: readonly (readonly number[])[]): number {
  let score = 0;
  let variance = 0;
  for (const values of series) {
    values.forEach((later, at) => {
      for (const earlier of values.slice(0, at)) score += Math.sign(later - earlier);
    });
    const n = values.length;
    variance += (n * (n - 1) * (2 * n + 5)) / 18;
  }
  return variance === 0 ? 0 : score / Math.sqrt(variance);
}
