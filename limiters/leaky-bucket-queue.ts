import { leakyBucket } from './leaky-bucket.ts';
import type { Decision, Limiter, Rate } from './limiter.ts';
import type { TokenBucket } from './token-bucket.ts';

/** How many requests may wait for their turn. */
export type Queue = { readonly waiting: number };

/**
 * A leaky bucket that queues: each request has its turn `windowMs / limit` after the one before it, and is answered
 * then. Up to `waiting` requests wait, and what comes beyond that is rejected at once. It admits what the leaky bucket
 * admits; only its answers come evenly spaced, whatever the client's burst was. nginx's `limit_req` with a `burst` and
 * without `nodelay` works so.
 */
export function leakyBucketQueue(rate: Rate, { waiting }: Queue): Limiter<TokenBucket> {
  const bucket = leakyBucket(rate, { burst: waiting });
  const gapMs = rate.windowMs / rate.limit;
  return {
    ...bucket,
    name: 'leaky-bucket-queue',
    decide(state, nowMs): Decision {
      const decision = bucket.decide(state, nowMs);
      const turnMs = state.fullMs + (state.taken - 1) * gapMs;
      return { ...decision, delayMs: decision.admitted ? Math.max(0, turnMs - nowMs) : 0 };
    },
  };
}
