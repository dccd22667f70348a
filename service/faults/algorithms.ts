import type { ClauseId } from '../../contract/clauses/registry.ts';
import { extendOnReject } from '../../limiters/extend-on-reject.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { minimumGap } from '../../limiters/leaky-bucket.ts';
import { openWindow, type RateWindow } from '../../limiters/limiter.ts';
import { subWindowLog } from '../../limiters/sub-window-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { bursts, everyLimit, type Fault } from './fault.ts';
import { otherLimiter, otherWindow, perSecondCaps } from './other-window.ts';

/**
 * A window may empty during a burst, or close to one. Then more than the limit can pass before any 429, or the capacity
 * that came back can look like a shorter window.
 */
const nearBoundary: readonly ClauseId[] = [...everyLimit, 'window.length', ...bursts];
const nearBoundaryReasons = ['early-return', 'late-return', 'over-admission', 'too-short'];

/** Faults that use another algorithm than the rolling window of the document. */
export const algorithmFaults = [
  {
    name: 'fixed-window',
    summary:
      'the count starts from zero at every minute of the wall clock. A run starts away from such a ' +
      'boundary, so it detects the fault where the clocks agree to a few ms; otherwise limits.* is ' +
      'violated now and then',
    must: ['window.rolling'],
    may: nearBoundary,
    reasons: nearBoundaryReasons,
    patch: otherLimiter((rate) => fixedWindow(rate)),
  },
  {
    name: 'fixed-window-first-request',
    summary: 'a window begins with its first request and returns all capacity at once when it ends',
    must: ['window.rolling'],
    may: nearBoundary,
    reasons: nearBoundaryReasons,
    patch: otherLimiter((rate) => fixedWindowFirstRequest(rate)),
  },
  {
    name: 'fixed-window-phase',
    summary:
      'the count starts from zero every minute, at a second of its own: here 17 s after the first ' +
      'request. If such a moment falls into the first 3 s of a run, more than the limit passes before any ' +
      '429, and limits.* is violated instead',
    must: ['window.rolling'],
    may: nearBoundary,
    reasons: nearBoundaryReasons,
    patch: otherWindow((rate) =>
      fromFirst((firstMs) => openWindow(fixedWindow(rate, { phaseMs: firstMs + 0.285 * rate.windowMs }))),
    ),
  },
  {
    name: 'two-bucket',
    summary:
      'the rolling count is estimated from this minute of the wall clock and a share of the minute before',
    must: ['window.rolling'],
    may: nearBoundary,
    reasons: nearBoundaryReasons,
    patch: otherLimiter((rate) => twoBucket(rate)),
  },
  {
    name: 'two-bucket-phase',
    summary: 'two-bucket with minutes that begin at a second of their own: here 17 s after the first request',
    must: ['window.rolling'],
    may: nearBoundary,
    reasons: nearBoundaryReasons,
    patch: otherWindow((rate) =>
      fromFirst((firstMs) => openWindow(twoBucket(rate, { phaseMs: firstMs + 0.285 * rate.windowMs }))),
    ),
  },
  {
    name: 'two-bucket-counting-rejections',
    summary:
      'two-bucket in which rejected requests count too, as in HAProxy’s stick tables: it stays full for longer, ' +
      'which looks like a longer window',
    must: ['window.rolling'],
    may: [...everyLimit, 'headers.reset', 'error.retry-after', ...bursts],
    reasons: ['early-return', 'late-return', 'over-admission', 'wrongful-429', 'beyond-window', 'too-long'],
    patch: otherLimiter((rate) => twoBucket(rate, { counts: 'all' })),
  },
  {
    name: 'token-bucket',
    summary: 'a bucket as large as the limit that refills evenly: more than the limit passes within a minute',
    must: everyLimit,
    may: bursts,
    reasons: ['over-admission'],
    patch: otherLimiter((rate) => tokenBucket(rate)),
  },
  {
    name: 'token-bucket-small',
    summary:
      'a bucket of a fifth of the limit that refills evenly: the rest of the limit cannot be used at once',
    must: everyLimit,
    may: bursts,
    reasons: ['wrongful-429'],
    patch: otherLimiter((rate) => tokenBucket(rate, { burst: Math.ceil(rate.limit / 5) })),
  },
  {
    name: 'minimum-gap',
    summary:
      'requests must be at least window / limit apart; detected where perSecond is set to average, ' +
      'because the document can also be read as a cap per second',
    setting: { perSecond: 'average' },
    must: everyLimit,
    may: [],
    reasons: ['wrongful-429'],
    patch: otherLimiter((rate) => minimumGap(rate)),
  },
  {
    name: 'per-second-cap',
    summary:
      'a cap of 2 and 5 per second on top of the minute’s limit; detected where perSecond is set to ' +
      'average, because the document can also be read so',
    setting: { perSecond: 'average' },
    must: ['limits.standard', 'limits.messages'],
    may: [],
    reasons: ['wrongful-429'],
    patch: perSecondCaps,
  },
  {
    name: 'extend-on-reject',
    summary: 'each rejected request starts the wait of a whole window again',
    must: ['window.rolling'],
    may: bursts,
    reasons: ['late-return'],
    patch: otherLimiter((rate) => extendOnReject(rate)),
  },
  {
    name: 'sub-windows',
    summary:
      'requests are counted per sixth of a window, beginning with the first request. Each sixth leaves as ' +
      'a whole, up to a sixth late, and Reset and retry_after_seconds say so too',
    must: ['window.rolling', 'headers.reset'],
    may: bursts,
    reasons: ['late-return', 'beyond-window'],
    patch: otherWindow((rate) =>
      fromFirst((phaseMs) => openWindow(subWindowLog(rate, { subWindowMs: rate.windowMs / 6, phaseMs }))),
    ),
  },
] as const satisfies readonly Fault[];

/** A window whose grid begins with its first request. */
function fromFirst(open: (firstMs: number) => RateWindow): RateWindow {
  let window: RateWindow | null = null;
  return {
    decide(nowMs) {
      window ??= open(nowMs);
      return window.decide(nowMs);
    },
    // One that is forgotten would begin anew, on another grid.
    idleFromMs: () => Number.POSITIVE_INFINITY,
  };
}
