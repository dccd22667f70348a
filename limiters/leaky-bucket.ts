import type { Limiter, Rate } from './limiter.ts';
import { type TokenBucket, tokenBucket } from './token-bucket.ts';

/** How many requests may come ahead of their turn. */
export type LeakyBurst = { readonly burst?: number };

/**
 * A bucket that leaks evenly, `limit` per `windowMs`, and overflows above `burst + 1` requests. It is the token
 * bucket seen from below: what is in it is what that one lacks, so the two decide alike.
 *
 * nginx's `limit_req` with `nodelay` (`ngx_http_limit_req_lookup`): `burst` is the same figure there, and 0 where it
 * is not given. Without `nodelay` it admits the same requests, but delays those of the burst until their turn. It
 * reckons in whole milliseconds and thousandths of a request.
 */
export function leakyBucket(rate: Rate, { burst = 0 }: LeakyBurst = {}): Limiter<TokenBucket> {
  return { ...tokenBucket(rate, { burst: burst + 1 }), name: 'leaky-bucket' };
}

/** At most one request per `windowMs / limit`: the leaky bucket with no burst, and nginx's `limit_req` without one. */
export function minimumGap(rate: Rate): Limiter<TokenBucket> {
  return leakyBucket(rate, { burst: 0 });
}
