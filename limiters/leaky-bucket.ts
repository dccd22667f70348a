import type { Limiter, Rate } from './limiter.ts';
import { type TokenBucket, tokenBucket } from './token-bucket.ts';

/** How many requests may come before their turn. */
export type LeakyBurst = { readonly burst?: number };

/**
 * A bucket that leaks evenly, `limit` per `windowMs`, and overflows above `burst + 1` requests. It decides as the token
 * bucket does: its content is what the token bucket lacks.
 *
 * nginx's `limit_req` with `nodelay` (`ngx_http_limit_req_lookup`): `burst` is the same number there, with 0 as the
 * default. Without `nodelay` it admits the same requests, but delays those of the burst until their turn. It counts in
 * whole milliseconds and thousandths of a request.
 */
export function leakyBucket(rate: Rate, { burst = 0 }: LeakyBurst = {}): Limiter<TokenBucket> {
  return { ...tokenBucket(rate, { burst: burst + 1 }), name: 'leaky-bucket' };
}

/** At most one request per `windowMs / limit`: the leaky bucket with no burst, and nginx's `limit_req` without one. */
export function minimumGap(rate: Rate): Limiter<TokenBucket> {
  return leakyBucket(rate, { burst: 0 });
}
