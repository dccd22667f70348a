import type { Entry } from './entries.ts';

/** From the earliest to the latest moment at which any of the entries may have been counted, ms. */
export function spanOf(entries: readonly Entry[]): {
  readonly fromMs: number;
  readonly toMs: number;
  readonly ms: number;
} {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const { lowMs, highMs } of entries) {
    fromMs = Math.min(fromMs, lowMs);
    toMs = Math.max(toMs, highMs);
  }
  return { fromMs, toMs, ms: toMs - fromMs };
}
