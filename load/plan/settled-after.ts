/**
 * From so long after a key's first request on its refusals can be judged, ms: `settledAfterMs` of contract/bounds.ts
 * and a tenth of a second for whatever is late.
 */
export function settledLaterMs(windowMs: number): number {
  return Math.ceil(windowMs * 1.001) + 1_100;
}
