import { checkLimit, checkRate, type Decision, type Limiter, type Rate } from './limiter.ts';

/** `taken` tokens since the bucket was last full, at `fullMs`. The two together keep the count free of rounding. */
export type TokenBucket = { fullMs: number; taken: number };

/** How many tokens a full bucket holds. */
export type Burst = { readonly burst?: number };

/**
 * A bucket of `burst` tokens (default: the limit) that refills evenly, `limit` per `windowMs`. A request takes one
 * token, or as many as it costs, or is rejected where fewer are left. From a full bucket up to `burst + limit` requests pass in one
 * window. golang.org/x/time/rate and @upstash/ratelimit `tokenBucket` are of this kind (the latter refills at
 * intervals).
 *
 * The generic cell rate algorithm (GCRA; ITU-T I.371, annex A; redis-cell, throttled) decides the same. It keeps one
 * moment, the theoretical arrival time: that is when this bucket would be full again, `fullMs + taken · interval`. A
 * request conforms if that moment is at most `(burst − 1) · interval` ahead. In other words, one whole token is left.
 */
export function tokenBucket(rate: Rate, { burst = rate.limit }: Burst = {}): Limiter<TokenBucket> {
  checkRate(rate);
  checkLimit(burst);
  const { limit, windowMs } = rate;

  /** When `tokens` tokens have come back since the bucket was last full. */
  const refilledMs = (bucket: TokenBucket, tokens: number): number =>
    bucket.fullMs + (tokens * windowMs) / limit;

  const refilled = (bucket: TokenBucket, nowMs: number): number => {
    const tokens = Math.floor(((nowMs - bucket.fullMs) * limit) / windowMs);
    // Division rounds, so the moment at which a token comes back decides.
    if (refilledMs(bucket, tokens) > nowMs) return tokens - 1;
    return refilledMs(bucket, tokens + 1) <= nowMs ? tokens + 1 : tokens;
  };

  return {
    name: 'token-bucket',
    limit,
    windowMs,
    start: () => ({ fullMs: Number.NEGATIVE_INFINITY, taken: 0 }),
    decide(bucket, nowMs, cost = 1): Decision {
      if (nowMs >= refilledMs(bucket, bucket.taken)) {
        bucket.fullMs = nowMs;
        bucket.taken = 0;
      }
      const back = refilled(bucket, nowMs);
      const admitted = burst - bucket.taken + back >= cost;
      if (admitted) bucket.taken += cost;
      const remaining = burst - bucket.taken + back;
      const resetMs = refilledMs(bucket, back + 1);
      const enoughMs = refilledMs(bucket, back + cost - remaining);
      return { admitted, remaining, resetMs, retryAfterMs: remaining >= cost ? 0 : enoughMs - nowMs };
    },
    idleFromMs: (bucket) => refilledMs(bucket, bucket.taken),
  };
}
