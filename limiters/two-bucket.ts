import { boundaryMs, checkGrid, checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';

/** Requests counted in the bucket that began at `startMs`, and in the one before it. */
export type TwoBucket = { startMs: number; previous: number; current: number };

/**
 * Buckets begin at `phaseMs + k · windowMs`. The share of the previous bucket is rounded; default: down. Only admitted
 * requests are counted, or all; default: admitted ones.
 */
export type Buckets = {
  readonly phaseMs?: number;
  readonly rounding?: Rounding;
  readonly counts?: 'admitted' | 'all';
};

export type Rounding = 'down' | 'nearest' | 'up';

/**
 * The sliding window counter: one count per window of the clock's grid. The previous count is weighted by how much of
 * its bucket the rolling window still overlaps. A request is admitted if
 *
 *     round(previous · overlap) + current < limit
 *
 * and rejected requests are not counted, or are: HAProxy's `http_req_rate` and the sliding limiter of Go's Fiber count
 * every request, so that a client that keeps sending is held off for longer. Its source is Cloudflare's "How we built rate limiting capable of scaling to
 * millions of domains" (2017). Products differ in the rounding. Counts are integers, so `down` (@upstash/ratelimit)
 * decides as the unrounded fraction compared by `<` does; `nearest` is go-chi/httprate; `up` decides as the unrounded
 * fraction with this request counted already, `previous · overlap + current + 1 <= limit`.
 */
export function twoBucket(
  rate: Rate,
  { phaseMs = 0, rounding = 'down', counts = 'admitted' }: Buckets = {},
): Limiter<TwoBucket> {
  checkRate(rate);
  const { limit, windowMs } = rate;
  const grid = { periodMs: windowMs, phaseMs };
  checkGrid(grid);
  const { round, margin } = roundings[rounding];

  const turn = (buckets: TwoBucket, startMs: number): void => {
    const adjoining = startMs - buckets.startMs < 1.5 * windowMs;
    buckets.previous = adjoining ? buckets.current : 0;
    buckets.current = 0;
    buckets.startMs = startMs;
  };

  /** When the rounded share of a bucket with `requests` requests, which ends at `goneMs`, has shrunk to `share`. */
  const shrunkMs = (bucket: { requests: number; goneMs: number }, share: number): number => {
    const { requests, goneMs } = bucket;
    const atMs = goneMs - ((share + margin) * windowMs) / requests;
    return round((requests * (goneMs - atMs)) / windowMs) <= share ? atMs : atMs + instantMs;
  };

  /** When more than `remaining` requests can first be admitted, if no other comes before. */
  const moreFromMs = (buckets: TwoBucket, remaining: number): number => {
    const { startMs, previous, current } = buckets;
    const endMs = startMs + windowMs;
    const share = limit - current - remaining - 1;
    if (share >= 0) return shrunkMs({ requests: previous, goneMs: endMs }, share);
    // Then the current bucket alone fills the limit. Its share shrinks when it is the previous bucket.
    return shrunkMs({ requests: current, goneMs: endMs + windowMs }, limit - remaining - 1);
  };

  return {
    name: counts === 'all' ? 'two-bucket-counting-rejections' : 'two-bucket',
    limit,
    windowMs,
    start: () => ({ startMs: Number.NEGATIVE_INFINITY, previous: 0, current: 0 }),
    decide(buckets, nowMs, cost = 1): Decision {
      if (nowMs >= buckets.startMs + windowMs) turn(buckets, boundaryMs(grid, nowMs));
      const overlapMs = buckets.startMs + windowMs - nowMs;
      const share = round((buckets.previous * overlapMs) / windowMs);
      const admitted = share + buckets.current + cost <= limit;
      if (admitted || counts === 'all') buckets.current += cost;
      const remaining = Math.max(0, limit - buckets.current - share);
      const resetMs = moreFromMs(buckets, remaining);
      const isEnough = remaining >= cost;
      const enoughMs = cost === 1 || isEnough ? resetMs : moreFromMs(buckets, cost - 1);
      return { admitted, remaining, resetMs, retryAfterMs: isEnough ? 0 : enoughMs - nowMs };
    },
    idleFromMs: ({ startMs, current }) => startMs + (current > 0 ? 2 : 1) * windowMs,
  };
}

/** `margin`: by how much a fraction may exceed an integer before it rounds to the next one. */
const roundings = {
  down: { round: Math.floor, margin: 1 },
  nearest: { round: Math.round, margin: 0.5 },
  up: { round: Math.ceil, margin: 0 },
} as const;

/** A share that must be *less* than a fraction certainly is so this long after it was equal, however moments round. */
const instantMs = 1 / 1024;
