import type { Admits } from './played.ts';

type Bucket = { readonly limit: number; readonly gapMs: number };

/** A token bucket that holds so many tokens when it is first asked (SmallRye's smooth limit: one). */
export function bucketFrom(first: number, { limit, gapMs }: Bucket): Admits {
  let [askedMs, tokens] = [Number.NaN, first];
  return (nowMs) => {
    if (!Number.isNaN(askedMs)) tokens = Math.min(limit, tokens + (nowMs - askedMs) / gapMs);
    askedMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Jetty's `DoSHandler`: a refused request takes a place too, down to one below empty; tokens come at the ticks of a clock. */
export function countingBucket({ limit, gapMs }: Bucket): Admits {
  let [tickedMs, tokens] = [Number.NaN, limit];
  return (nowMs) => {
    if (Number.isNaN(tickedMs)) tickedMs = nowMs;
    const ticks = Math.floor((nowMs - tickedMs) / gapMs);
    tickedMs += ticks * gapMs;
    tokens = Math.max(-1, Math.min(limit, tokens + ticks) - 1);
    return tokens >= 0;
  };
}
