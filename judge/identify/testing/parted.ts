import type { Admits } from './played.ts';

export type Parted = {
  readonly limit: number;
  readonly windowMs: number;
  readonly parts: number;
  /** Parts begin so long after the epoch, ms; absent: with it. */
  readonly phaseMs?: number;
};

/** A sliding window counter of many parts, of which the oldest is weighted by what the rolling window still overlaps of it. */
export function parted({ limit, windowMs, parts, phaseMs = 0 }: Parted): Admits {
  const partMs = windowMs / parts;
  const counts = new Map<number, number>();
  return (nowMs) => {
    const now = Math.floor((nowMs - phaseMs) / partMs);
    const overlap = 1 - ((nowMs - phaseMs) / partMs - now);
    const weighed = [...counts].reduce((sum, [part, count]) => {
      if (part < now - parts) return sum;
      return sum + count * (part === now - parts ? overlap : 1);
    }, 0);
    if (weighed + 1 > limit) return false;
    counts.set(now, (counts.get(now) ?? 0) + 1);
    return true;
  };
}
