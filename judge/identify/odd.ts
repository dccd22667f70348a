import type { Fit } from './fit.ts';

/**
 * An explanation that is less plausible than this needs odd settings: buckets that are not filled evenly are tried too, and
 * other limits than the first burst met.
 */
const oddBelow = 1e-5;

/** Whether the best of some explanations is. */
export function isOdd([best]: readonly Fit[]): boolean {
  return (best?.plausibility ?? 0) < oddBelow;
}
