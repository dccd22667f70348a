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

/** From the first request sent to the last answer, ms; requests without an answer are left out. */
export function answeredWithinMs(entries: readonly Entry[]): number {
  const firstMs = entries[0]?.lowMs ?? 0;
  return entries.reduce(
    (span, { highMs }) => (Number.isFinite(highMs) ? Math.max(span, highMs - firstMs) : span),
    0,
  );
}
