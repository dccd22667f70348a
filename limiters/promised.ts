import type { LimitPart } from '../contract/document/further-limit.ts';
import type { SinglePromise } from '../contract/document/promise.ts';
import { fixedWindow } from './fixed-window.ts';
import { fixedWindowFirstRequest } from './fixed-window-first-request.ts';
import type { Decision, Limiter, Rate } from './limiter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './token-bucket.ts';

/** A limiter as a promise describes it; where that leaves a choice, the commonest. */
export function promisedLimiter(promise: SinglePromise, rate: Rate): Limiter<unknown> {
  switch (promise.kind) {
    case 'fixed':
      return (
        promise.aligned === 'clock' ? fixedWindow(rate) : fixedWindowFirstRequest(rate)
      ) as Limiter<unknown>;
    case 'token-bucket':
      return tokenBucket(rate) as Limiter<unknown>;
    default:
      return slidingLog(rate) as Limiter<unknown>;
  }
}

/** All limits of a scope as one limiter, for requests that each cost so much. Its rate is that of the first one. */
export function limiterOfParts(
  parts: readonly [LimitPart, ...LimitPart[]],
  { cost }: { readonly cost: number },
): Limiter<unknown> {
  const [first, ...further] = parts.map((part) => promisedLimiter(part.promise, rateFor(part, cost)));
  if (first === undefined) throw new Error('a scope has a limit');
  return further.length === 0 ? first : (allOf([first, ...further]) as Limiter<unknown>);
}

/** How many requests of one cost pass at once, and in how long as many come back. */
function rateFor(
  { limit, wholeSeconds, promise }: Pick<LimitPart, 'limit' | 'wholeSeconds' | 'promise'>,
  cost: number,
): Rate {
  const requests = Math.max(1, Math.floor(limit / cost));
  // A window gives all of it back; a bucket what was taken from it.
  const share = promise.kind === 'token-bucket' ? (requests * cost) / limit : 1;
  return { limit: requests, windowMs: wholeSeconds * 1_000 * share };
}

type Parts = { readonly states: readonly unknown[]; readonly freeFromMs: number[] };

/** Limits of which each has to admit a request; what one of them refuses, the others do not count. */
function allOf(limiters: readonly [Limiter<unknown>, ...Limiter<unknown>[]]): Limiter<Parts> {
  const [first] = limiters;
  return {
    name: limiters.map(({ name }) => name).join(' and '),
    limit: first.limit,
    windowMs: first.windowMs,
    start: () => ({
      states: limiters.map((one) => one.start()),
      freeFromMs: limiters.map(() => Number.NEGATIVE_INFINITY),
    }),
    decide({ states, freeFromMs }, nowMs): Decision {
      const freeMs = Math.max(...freeFromMs);
      if (nowMs < freeMs) {
        const waitMs = freeMs - nowMs;
        return { admitted: false, remaining: 0, resetMs: freeMs, retryAfterMs: waitMs };
      }
      const all = limiters.map((one, at) => one.decide(states[at], nowMs));
      for (const [at, { retryAfterMs }] of all.entries()) freeFromMs[at] = nowMs + retryAfterMs;
      const longest = all.reduce((one, other) => (other.retryAfterMs > one.retryAfterMs ? other : one));
      return {
        admitted: all.every(({ admitted }) => admitted),
        remaining: Math.min(...all.map(({ remaining }) => remaining)),
        resetMs: longest.resetMs,
        retryAfterMs: longest.retryAfterMs,
      };
    },
    idleFromMs: ({ states }) => Math.max(...limiters.map((one, at) => one.idleFromMs(states[at]))),
  };
}
