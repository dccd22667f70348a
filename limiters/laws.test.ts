import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concurrencyLimit } from './concurrency-limit.ts';
import { extendOnReject } from './extend-on-reject.ts';
import { fixedWindow } from './fixed-window.ts';
import { fixedWindowFirstRequest } from './fixed-window-first-request.ts';
import { keptWindow } from './kept-window.ts';
import { leakyBucket, minimumGap } from './leaky-bucket.ts';
import { leakyBucketQueue } from './leaky-bucket-queue.ts';
import type { Limiter, Rate } from './limiter.ts';
import { perSecondCap } from './per-second-cap.ts';
import { slidingLog } from './sliding-log.ts';
import { slidingLogCountingRejections } from './sliding-log-counting-rejections.ts';
import { subWindowLog, wholeSecondsLog } from './sub-window-log.ts';
import { capacity, epochMs, moments, phases, rates } from './testing/histories.ts';
import { tokenBucket } from './token-bucket.ts';
import { twoBucket } from './two-bucket.ts';
import { inSteps, wholeSeconds } from './whole-seconds.ts';

/** Any member of the family, at a rate, with one integer more to choose its options from. */
type Member = readonly [
  name: string,
  open: (rate: Rate, option: number, use: (limiter: Limiter<unknown>) => void) => void,
];

const member = <State>(name: string, of: (rate: Rate, option: number) => Limiter<State>): Member => [
  name,
  (rate, option, use) => use(of(rate, option) as Limiter<unknown>),
];

const perSecond = (option: number): number => 1 + (Math.abs(option) % 6);

const family: readonly Member[] = [
  member('sliding log', slidingLog),
  member('sliding log counting rejections', slidingLogCountingRejections),
  member('sub-window log', (rate, phaseMs) =>
    subWindowLog(rate, { subWindowMs: Math.max(1, rate.windowMs >> 2), phaseMs }),
  ),
  member('whole-seconds log', wholeSecondsLog),
  member('fixed window, wall clock', (rate) => fixedWindow(rate)),
  member('fixed window, phase', (rate, phaseMs) => fixedWindow(rate, { phaseMs })),
  member('fixed window, first request', fixedWindowFirstRequest),
  member('fixed window, kept for whole seconds', keptWindow),
  member('two-bucket, rounding down', (rate, phaseMs) => twoBucket(rate, { phaseMs })),
  member('two-bucket, rounding to nearest', (rate, phaseMs) =>
    twoBucket(rate, { phaseMs, rounding: 'nearest' }),
  ),
  member('two-bucket, rounding up', (rate, phaseMs) => twoBucket(rate, { phaseMs, rounding: 'up' })),
  member('two-bucket, counting rejections', (rate, phaseMs) => twoBucket(rate, { phaseMs, counts: 'all' })),
  member('two-bucket in whole seconds, counting rejections', (rate) =>
    wholeSeconds(twoBucket(rate, { counts: 'all' })),
  ),
  member('token bucket', (rate) => tokenBucket(rate)),
  member('token bucket in whole seconds', (rate) => wholeSeconds(tokenBucket(rate))),
  member('token bucket in steps', (rate, phaseMs) => inSteps(tokenBucket(rate), { stepMs: 64, phaseMs })),
  member('fixed window, first request, in whole seconds', (rate) =>
    wholeSeconds(fixedWindowFirstRequest(rate)),
  ),
  member('leaky bucket that queues', (rate, option) =>
    leakyBucketQueue(rate, { waiting: perSecond(option) }),
  ),
  member('concurrency limit', concurrencyLimit),
  member('token bucket, own burst', (rate, option) => tokenBucket(rate, { burst: perSecond(option) })),
  member('leaky bucket', (rate, option) => leakyBucket(rate, { burst: perSecond(option) })),
  member('minimum gap', minimumGap),
  member('extend on reject', (rate) => extendOnReject(rate)),
  member('block on the first reject', (rate) => extendOnReject(rate, { extendedBy: 'first-rejection' })),
  member('extend on any request', (rate) => extendOnReject(rate, { extendedBy: 'any-request' })),
  member('cap on a sliding log', (rate, option) => perSecondCap(slidingLog(rate), perSecond(option))),
  member('cap on a log counting rejections', (rate, option) =>
    perSecondCap(slidingLogCountingRejections(rate), perSecond(option)),
  ),
  member('cap in calendar seconds', (rate, option) =>
    perSecondCap(slidingLog(rate), perSecond(option), 'calendar-second'),
  ),
  member('cap by a token bucket', (rate, option) =>
    perSecondCap(slidingLog(rate), perSecond(option), 'token-bucket'),
  ),
  member('cap by a minimum gap', (rate, option) =>
    perSecondCap(slidingLog(rate), perSecond(option), 'minimum-gap'),
  ),
  member('cap on two buckets', (rate, option) => perSecondCap(twoBucket(rate), perSecond(option))),
  member('cap on a token bucket', (rate, option) => perSecondCap(tokenBucket(rate), perSecond(option))),
];

/* `expect` takes longer than a decision, and there are a million: it is asked for the message alone. */

function same(found: number, expected: number): void {
  if (!Object.is(found, expected)) expect(found).toBe(expected);
}

function above(found: number, bound: number): void {
  if (!(found > bound)) expect(found).toBeGreaterThan(bound);
}

/** Shorter than what any clock here resolves, and longer than rounding of moments. */
const shortlyMs = 1 / 256;

describe.each(family)('%s', (_name, open) => {
  it('says how many more it would admit', () => {
    fc.assert(
      fc.property(rates, phases, moments, (rate, option, requestsMs) => {
        open(rate, option, (limiter) => {
          const state = limiter.start();
          for (const nowMs of requestsMs) {
            same(limiter.decide(state, nowMs).remaining, capacity(limiter, state, nowMs));
          }
        });
      }),
    );
  });

  it('announces the shortest wait that is admitted', () => {
    fc.assert(
      fc.property(rates, phases, moments, (rate, option, requestsMs) => {
        open(rate, option, (limiter) => {
          const state = limiter.start();
          for (const nowMs of requestsMs) {
            const { retryAfterMs } = limiter.decide(state, nowMs);
            above(capacity(limiter, state, nowMs + retryAfterMs), 0);
            if (retryAfterMs <= shortlyMs) continue;
            same(capacity(limiter, state, nowMs + retryAfterMs - shortlyMs), 0);
          }
        });
      }),
    );
  });

  it('resets when it would first admit more', () => {
    fc.assert(
      fc.property(rates, phases, moments, (rate, option, requestsMs) => {
        open(rate, option, (limiter) => {
          const state = limiter.start();
          for (const nowMs of requestsMs) {
            const { remaining, resetMs } = limiter.decide(state, nowMs);
            above(resetMs, nowMs);
            above(capacity(limiter, state, resetMs), remaining);
            if (resetMs - nowMs <= shortlyMs) continue;
            same(capacity(limiter, state, resetMs - shortlyMs), remaining);
          }
        });
      }),
    );
  });

  it('can be dropped once idle: from then on it decides as a fresh one', () => {
    fc.assert(
      fc.property(rates, phases, moments, moments, (rate, option, beforeMs, after) => {
        open(rate, option, (limiter) => {
          const used = limiter.start();
          for (const nowMs of beforeMs) limiter.decide(used, nowMs);
          const fresh = limiter.start();
          const idleFromMs = limiter.idleFromMs(used);
          for (const atMs of after) {
            const nowMs = idleFromMs + (atMs - epochMs);
            expect(limiter.decide(used, nowMs)).toEqual(limiter.decide(fresh, nowMs));
          }
        });
      }),
    );
  });

  it('is idle before its first request, and not while anything counts', () => {
    fc.assert(
      fc.property(rates, phases, moments, (rate, option, requestsMs) => {
        open(rate, option, (limiter) => {
          const state = limiter.start();
          expect(limiter.idleFromMs(state)).toBe(Number.NEGATIVE_INFINITY);
          const full = capacity(limiter, state, epochMs);
          for (const nowMs of requestsMs) limiter.decide(state, nowMs);
          const idleFromMs = limiter.idleFromMs(state);
          expect(idleFromMs).toBeGreaterThan(requestsMs.at(-1) ?? epochMs);
          expect(capacity(limiter, state, idleFromMs)).toBe(full);
        });
      }),
    );
  });
});
