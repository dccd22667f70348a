import type { PromiseSetting } from '../../contract/document/promise.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow, type Rate, type RateWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';

/** A limiter at the rate of its scope. */
export type LimiterOpener = (rate: Rate) => RateWindow;

const log: LimiterOpener = (rate) => openWindow(slidingLog(rate));
const countingLog: LimiterOpener = (rate) => openWindow(slidingLogCountingRejections(rate));
const byClock: LimiterOpener = (rate) => openWindow(fixedWindow(rate));
const firstRequest: LimiterOpener = (rate) => openWindow(fixedWindowFirstRequest(rate));
const bucket: LimiterOpener = (rate) => openWindow(tokenBucket(rate));
const twoBuckets: LimiterOpener = (rate) => openWindow(twoBucket(rate));

/** Who never refuses anybody. */
const unlimited: LimiterOpener = ({ limit }) => ({
  decide: (nowMs) => ({ admitted: true, remaining: limit, resetMs: nowMs, retryAfterMs: 0 }),
  idleFromMs: () => 0,
});

/** Windows of the clock that are moved by a share of their length. */
function moved(share: number): LimiterOpener {
  return (rate) => openWindow(fixedWindow(rate, { phaseMs: share * rate.windowMs }));
}

/** The same limiter at another rate. */
function at(open: LimiterOpener, change: (rate: Rate) => Rate): LimiterOpener {
  return (rate) => open(change(rate));
}

const times = (factor: number) => (rate: Rate) => ({
  ...rate,
  limit: Math.max(1, Math.round(factor * rate.limit)),
});
const longer = (factor: number) => (rate: Rate) => ({ ...rate, windowMs: factor * rate.windowMs });

/** A window in which a rejected request is counted: it takes what was left, so nothing passes until the window is over. */
function countingRejected(open: LimiterOpener): LimiterOpener {
  return (rate) => {
    const window = open(rate);
    return {
      decide: (nowMs, cost) => {
        const decision = window.decide(nowMs, cost);
        if (!decision.admitted && decision.remaining > 0) window.decide(nowMs, decision.remaining);
        return decision;
      },
      idleFromMs: () => window.idleFromMs(),
    };
  };
}

/** A promise, limiters that keep it, and limiters that break it; all by name. */
export type PromiseCase = {
  readonly name: string;
  readonly promise: PromiseSetting;
  readonly kept: Readonly<Record<string, LimiterOpener>>;
  readonly broken: Readonly<Record<string, LimiterOpener>>;
};

const more = (rate: Rate) => ({ ...rate, limit: rate.limit + 1 });
const fewer = (rate: Rate) => ({ ...rate, limit: rate.limit - 1 });

/** What breaks a promise of windows of one kind, whatever their kind: another count, or another length. */
function offBy(open: LimiterOpener): PromiseCase['broken'] {
  return {
    'one more': at(open, more),
    'one fewer': at(open, fewer),
    'a longer window': at(open, longer(1.2)),
    'a shorter window': at(open, longer(0.8)),
  };
}

export const promiseCases: readonly PromiseCase[] = [
  {
    name: 'rolling',
    promise: 'rolling',
    kept: { 'a rolling log': log, 'rejections count': countingLog },
    broken: { 'one more': at(log, more), 'one fewer': at(log, fewer), 'twice as many': at(log, times(2)) },
  },
  {
    name: 'fixed',
    promise: 'fixed',
    kept: {
      'by the clock': byClock,
      moved: moved(0.285),
      'first request': firstRequest,
      'rejections counted': countingRejected(firstRequest),
    },
    broken: {
      'a rolling log': log,
      'a bucket': bucket,
      ...offBy(firstRequest),
      'twice as many': at(byClock, times(2)),
    },
  },
  {
    name: 'fixed by the clock',
    promise: { kind: 'fixed', aligned: 'clock' },
    kept: { 'by the clock': byClock },
    broken: {
      'a rolling log': log,
      'moved windows': moved(0.285),
      'the first request': firstRequest,
      'a bucket': bucket,
      'two weighed windows': twoBuckets,
      ...offBy(byClock),
    },
  },
  {
    name: 'fixed by the first request',
    promise: { kind: 'fixed', aligned: 'first-request' },
    kept: { 'first request': firstRequest, 'rejections counted': countingRejected(firstRequest) },
    broken: {
      'a rolling log': log,
      'by the clock': byClock,
      'moved windows': moved(0.285),
      'two weighed windows': twoBuckets,
      'a bucket': bucket,
      ...offBy(firstRequest),
    },
  },
  {
    name: 'token bucket',
    promise: 'token-bucket',
    kept: { 'a bucket': bucket },
    broken: {
      'a rolling log': log,
      'by the clock': byClock,
      'the first request': firstRequest,
      'two weighed windows': twoBuckets,
      ...offBy(bucket),
    },
  },
  {
    name: 'at most',
    promise: 'at-most',
    kept: {
      'a rolling log': log,
      'rejections count': countingLog,
      fewer: at(log, times(0.7)),
    },
    broken: {
      'by the clock': byClock,
      'the first request': firstRequest,
      'a bucket': bucket,
      'two weighed windows': twoBuckets,
      'one more': at(log, more),
      'a shorter window': at(log, longer(0.8)),
    },
  },
  {
    name: 'at least',
    promise: 'at-least',
    kept: {
      'a rolling log': log,
      'rejections count': countingLog,
      'twice as many': at(log, times(2)),
      'no limit': unlimited,
      'first request': firstRequest,
      'by the clock': byClock,
      'a bucket': bucket,
    },
    broken: { 'one fewer': at(log, fewer), 'a longer window': at(log, longer(1.2)) },
  },
  {
    name: 'unsaid',
    promise: 'unsaid',
    kept: {
      'a rolling log': log,
      'rejections count': countingLog,
      'by the clock': byClock,
      moved: moved(0.6),
      'first request': firstRequest,
      'a bucket': bucket,
      'two weighed windows': twoBuckets,
    },
    broken: {
      'one more': at(log, more),
      'twice as many': at(log, times(2)),
      'one fewer': at(log, fewer),
      'one fewer by the clock': at(byClock, fewer),
      'one fewer from the first request': at(firstRequest, fewer),
      'one fewer in a bucket': at(bucket, fewer),
      'one fewer in two weighed windows': at(twoBuckets, fewer),
    },
  },
];
