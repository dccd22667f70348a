import type { Algorithm } from '../../contract/identification.ts';
import { concurrencyLimit } from '../../limiters/concurrency-limit.ts';
import { extendOnReject } from '../../limiters/extend-on-reject.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { keptWindow } from '../../limiters/kept-window.ts';
import { minimumGap } from '../../limiters/leaky-bucket.ts';
import { leakyBucketQueue } from '../../limiters/leaky-bucket-queue.ts';
import { openWindow, type Rate, type RateWindow } from '../../limiters/limiter.ts';
import { perSecondCap } from '../../limiters/per-second-cap.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { subWindowLog } from '../../limiters/sub-window-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { inSteps, wholeSeconds } from '../../limiters/whole-seconds.ts';

/** A limiter whose name is known, to see whether it is found. */
export type KnownClass = {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly perSecondCap?: number;
  /** What of the length a trace shows: all of it, an interval, or nothing that a target could be set for. */
  readonly length: 'exact' | 'interval' | 'none';
  /** What it is set to, where that is not the rate itself. */
  readonly setting?: (rate: Rate) => Rate;
  readonly open: (rate: Rate, random: () => number) => RateWindow;
};

const cap = 10;

/** How long a request is in work where those in flight are limited. */
const workMs = 300;

/** Far fewer may be in flight than requests in a window: no client opens hundreds of connections. */
function inWork({ limit }: Rate): Rate {
  return { limit: Math.ceil(limit / 10), windowMs: workMs };
}

export const knownClasses: readonly KnownClass[] = [
  {
    name: 'sliding-log',
    algorithm: 'sliding-log',
    length: 'exact',
    open: (rate) => openWindow(slidingLog(rate)),
  },
  {
    name: 'sliding-log-counting-rejections',
    algorithm: 'sliding-log-counting-rejections',
    length: 'exact',
    open: (rate) => openWindow(slidingLogCountingRejections(rate)),
  },
  {
    name: 'sub-window-log 1 s',
    algorithm: 'sub-window-log',
    length: 'exact',
    open: (rate) => openWindow(subWindowLog(rate, { subWindowMs: 1_000 })),
  },
  {
    name: 'sub-window-log 10 s',
    algorithm: 'sub-window-log',
    length: 'exact',
    // A window is a whole number of them.
    open: (rate) =>
      openWindow(subWindowLog(rate, { subWindowMs: rate.windowMs % 10_000 === 0 ? 10_000 : 15_000 })),
  },
  {
    name: 'fixed-window-wall-clock',
    algorithm: 'fixed-window-wall-clock',
    length: 'interval',
    open: (rate) => openWindow(fixedWindow(rate)),
  },
  {
    name: 'fixed-window-wall-clock, kept for whole seconds',
    algorithm: 'fixed-window-wall-clock',
    length: 'interval',
    open: (rate) => openWindow(keptWindow(rate)),
  },
  {
    name: 'fixed-window-phase',
    algorithm: 'fixed-window-phase',
    length: 'interval',
    open: (rate, random) => openWindow(fixedWindow(rate, { phaseMs: random() * rate.windowMs })),
  },
  {
    name: 'fixed-window-phase, from the first request on',
    algorithm: 'fixed-window-phase',
    length: 'interval',
    open: fixedWindowOfEachKey,
  },
  {
    name: 'fixed-window-first-request',
    algorithm: 'fixed-window-first-request',
    length: 'exact',
    open: (rate) => openWindow(fixedWindowFirstRequest(rate)),
  },
  {
    name: 'two-bucket wall clock',
    algorithm: 'two-bucket',
    length: 'interval',
    open: (rate, random) => openWindow(twoBucket(rate, { rounding: roundingOf(random) })),
  },
  {
    name: 'two-bucket phase',
    algorithm: 'two-bucket',
    length: 'interval',
    open: (rate, random) =>
      openWindow(twoBucket(rate, { phaseMs: random() * rate.windowMs, rounding: roundingOf(random) })),
  },
  {
    name: 'two-bucket counting rejections',
    algorithm: 'two-bucket-counting-rejections',
    length: 'interval',
    open: (rate, random) =>
      openWindow(
        twoBucket(rate, { phaseMs: random() * rate.windowMs, counts: 'all', rounding: roundingOf(random) }),
      ),
  },
  {
    name: 'two-bucket in whole seconds',
    algorithm: 'two-bucket-counting-rejections',
    length: 'interval',
    open: (rate, random) =>
      openWindow(
        wholeSeconds(
          twoBucket(rate, { phaseMs: Math.floor((random() * rate.windowMs) / 1_000) * 1_000, counts: 'all' }),
        ),
      ),
  },
  {
    name: 'fixed-window-first-request in whole seconds',
    algorithm: 'fixed-window-first-request',
    length: 'exact',
    open: (rate) => openWindow(wholeSeconds(fixedWindowFirstRequest(rate))),
  },
  {
    name: 'token-bucket in whole seconds',
    algorithm: 'token-bucket',
    length: 'none',
    open: (rate) => openWindow(wholeSeconds(tokenBucket(rate))),
  },
  {
    name: 'token-bucket',
    algorithm: 'token-bucket',
    length: 'none',
    open: (rate) => openWindow(tokenBucket(rate)),
  },
  {
    name: 'minimum-gap',
    algorithm: 'leaky-bucket',
    length: 'none',
    open: (rate) => openWindow(minimumGap(rate)),
  },
  {
    name: 'token-bucket in steps of 10 s',
    algorithm: 'token-bucket',
    length: 'none',
    open: (rate) => openWindow(inSteps(tokenBucket(rate), { stepMs: 10_000 })),
  },
  {
    name: 'leaky-bucket-queue',
    algorithm: 'leaky-bucket-queue',
    length: 'none',
    open: (rate) => openWindow(leakyBucketQueue(rate, { waiting: 20 })),
  },
  {
    name: 'concurrency-limit',
    algorithm: 'concurrency-limit',
    length: 'none',
    setting: inWork,
    open: (rate) => openWindow(concurrencyLimit(inWork(rate))),
  },
  {
    name: 'block-on-reject',
    algorithm: 'block-on-reject',
    length: 'exact',
    open: (rate) => openWindow(extendOnReject(rate, { extendedBy: 'first-rejection' })),
  },
  {
    name: 'extend-on-reject',
    algorithm: 'extend-on-reject',
    length: 'interval',
    open: (rate, random) =>
      openWindow(extendOnReject(rate, { extendedBy: random() < 0.5 ? 'rejection' : 'any-request' })),
  },
  {
    name: 'sliding-log, capped',
    algorithm: 'sliding-log',
    perSecondCap: cap,
    length: 'exact',
    open: (rate) => openWindow(perSecondCap(slidingLog(rate), cap)),
  },
];

/** A timer for each key: its grid begins with the first request. */
function fixedWindowOfEachKey(rate: Rate): RateWindow {
  let window: RateWindow | null = null;
  const windowFrom = (nowMs: number): RateWindow =>
    openWindow(fixedWindow(rate, { phaseMs: nowMs % rate.windowMs }));
  return {
    decide: (nowMs) => {
      window ??= windowFrom(nowMs);
      return window.decide(nowMs);
    },
    idleFromMs: () => window?.idleFromMs() ?? Number.NEGATIVE_INFINITY,
  };
}

function roundingOf(random: () => number): 'down' | 'nearest' | 'up' {
  const share = random();
  if (share < 1 / 3) return 'down';
  return share < 2 / 3 ? 'nearest' : 'up';
}
