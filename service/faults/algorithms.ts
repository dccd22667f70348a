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
 * Where a moment at which a window empties falls into a burst, or close to one, more than the limit can pass before any
 * 429, and what came back can look like a shorter window.
 */
const nearBoundary: readonly ClauseId[] = [...everyLimit, 'window.length', ...bursts];
const nearBoundaryReasons = ['early-return', 'late-return', 'over-admission', 'too-short'];

/** Faults that are another algorithm than the rolling window of the document. */
export const algorithmFaults = [
  {
    name: 'fixed-window',
    summary:
      'requests are counted from zero in every minute of the wall clock; a run keeps its first requests clear of such ' +
      'a boundary, so it is told as this where the clocks agree to a few ms, and else as limits.* now and then',
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
      'requests are counted from zero in every minute from some second on, here 17 s after the first request; where ' +
      'such a moment falls into the first 3 s of a run more than the limit passes before any 429, and limits.* is ' +
      'violated instead',
    must: ['window.rolling'],
    may: nearBoundary,
    reasons: nearBoundaryReasons,
    patch: otherWindow((rate) =>
      fromFirst((firstMs) => openWindow(fixedWindow(rate, { phaseMs: firstMs + 0.285 * rate.windowMs }))),
    ),
  },
  {
    name: 'two-bucket',
    summary: 'the rolling count is guessed from this minute of the wall clock and a share of the one before',
    must: ['window.rolling'],
    may: nearBoundary,
    reasons: nearBoundaryReasons,
    patch: otherLimiter((rate) => twoBucket(rate)),
  },
  {
    name: 'two-bucket-phase',
    summary:
      'the same with minutes that begin at some second of their own, here 17 s after the first request',
    must: ['window.rolling'],
    may: nearBoundary,
    reasons: nearBoundaryReasons,
    patch: otherWindow((rate) =>
      fromFirst((firstMs) => openWindow(twoBucket(rate, { phaseMs: firstMs + 0.285 * rate.windowMs }))),
    ),
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
      'each request must keep a window / limit away from the one before; where the document’s figures per second may ' +
      'be caps the answers could conform, so it is told where perSecond is set to average',
    setting: { perSecond: 'average' },
    must: everyLimit,
    may: [],
    reasons: ['wrongful-429'],
    patch: otherLimiter((rate) => minimumGap(rate)),
  },
  {
    name: 'per-second-cap',
    summary:
      'a cap of 2 and 5 per second on top of the minute’s limit; told where perSecond is set to average, for elsewhere ' +
      'the document can be read so',
    setting: { perSecond: 'average' },
    must: ['limits.standard', 'limits.messages'],
    may: [],
    reasons: ['wrongful-429'],
    patch: perSecondCaps,
  },
  {
    name: 'extend-on-reject',
    summary: 'each rejected request starts the wait for a whole window anew',
    must: ['window.rolling'],
    may: bursts,
    reasons: ['late-return'],
    patch: otherLimiter((rate) => extendOnReject(rate)),
  },
  {
    name: 'sub-windows',
    summary:
      'requests are counted per sixth of a window, beginning with the first request, and each sixth leaves as a ' +
      'whole: up to a sixth late, which Reset and retry_after_seconds say too',
    must: ['window.rolling', 'headers.reset', 'error.retry-after'],
    may: bursts,
    reasons: ['late-return', 'beyond-window', 'too-long'],
    patch: otherWindow((rate) =>
      fromFirst((phaseMs) => openWindow(subWindowLog(rate, { subWindowMs: rate.windowMs / 6, phaseMs }))),
    ),
  },
] as const satisfies readonly Fault[];

/** A window whose grid is laid by its first request. */
function fromFirst(open: (firstMs: number) => RateWindow): RateWindow {
  let window: RateWindow | null = null;
  return {
    decide(nowMs) {
      window ??= open(nowMs);
      return window.decide(nowMs);
    },
    idleFromMs: () => window?.idleFromMs() ?? Number.NEGATIVE_INFINITY,
  };
}
