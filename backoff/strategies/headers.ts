import type { Answer, Strategy } from '../strategy.ts';
import { type RetryAfterJitter, retryAfterJitter } from './retry-after.ts';

/**
 * Sends nothing more once `X-RateLimit-Remaining` is 0 until `X-RateLimit-Reset`, and treats a 429 like
 * `retryAfterJitter`. `jitterMs` is added to either wait. Trusts its own clock to agree with the service's.
 */
export function headerGate(jitter: RetryAfterJitter): Strategy<null> {
  const afterRefusal = retryAfterJitter(jitter);
  return {
    ...afterRefusal,
    name: 'header gate',
    next(_state, answer, random) {
      if (answer.kind !== 'admitted') return afterRefusal.next(null, answer, random);
      if (answer.remaining !== 0) return [0, null];
      return [untilResetMs(answer) + random() * jitter.jitterMs, null];
    },
  };
}

export type Spacing = RetryAfterJitter & {
  /** How many clients share the key, as far as this one knows: each takes so much of the spacing. */
  readonly sharers: number;
  /** Spacing begins where fewer than this share of the limit remain: 1 is from the first request on. */
  readonly below: number;
  readonly limit: number;
};

/**
 * Spreads what remains over the time until the reset: after each answer waits `(Reset − now) / Remaining`, times the
 * number of clients that share the key. Treats a 429 like `retryAfterJitter`.
 */
export function headerSpacing(spacing: Spacing): Strategy<null> {
  const { sharers, below, limit } = spacing;
  const afterRefusal = retryAfterJitter(spacing);
  return {
    ...afterRefusal,
    name: 'header spacing',
    next(_state, answer, random) {
      if (answer.kind !== 'admitted') return afterRefusal.next(null, answer, random);
      const { remaining } = answer;
      if (remaining < 0 || remaining >= below * limit) return [0, null];
      return [(untilResetMs(answer) * sharers) / Math.max(sharers, remaining), null];
    },
  };
}

function untilResetMs({ resetSeconds, nowMs }: Answer): number {
  return Math.max(0, resetSeconds * 1_000 - nowMs);
}
