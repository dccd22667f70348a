import type { Algorithm, Candidate, Identification } from '../../contract/identification.ts';
import { concurrencyLimit } from '../../limiters/concurrency-limit.ts';
import { extendOnReject } from '../../limiters/extend-on-reject.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import type { Limiter } from '../../limiters/limiter.ts';
import { perSecondCap } from '../../limiters/per-second-cap.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { subWindowLog } from '../../limiters/sub-window-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';

type Found = Pick<
  Identification,
  'limit' | 'windowSeconds' | 'phaseSeconds' | 'granularitySeconds' | 'rejectionsCount'
>;

/** The model of what was identified, the likeliest where there are several; `null` where nothing was. */
export function identifiedLimiter(found: Identification): Limiter<unknown> | null {
  const algorithm = typeof found.algorithm === 'string' ? found.algorithm : found.algorithm[0];
  if (algorithm === undefined) return null;
  const limiter = modelOf(algorithm, found);
  if (limiter === null || found.perSecondCap === null || found.perSecondCap >= limiter.limit) return limiter;
  return perSecondCap(limiter, found.perSecondCap) as Limiter<unknown>;
}

function modelOf(algorithm: Algorithm, found: Found): Limiter<unknown> | null {
  const { limit, windowSeconds } = found;
  if (limit === null || windowSeconds === null) return null;
  const rate = { limit, windowMs: windowSeconds.value * 1_000 };
  const phase = { phaseMs: middleMs(found.phaseSeconds) };
  switch (algorithm) {
    case 'sliding-log':
      return slidingLog(rate) as Limiter<unknown>;
    case 'sliding-log-counting-rejections':
      return slidingLogCountingRejections(rate) as Limiter<unknown>;
    case 'sub-window-log':
      // That a retry takes a place costs a client far more than when in a sub-window it is back.
      return found.rejectionsCount === true
        ? (slidingLogCountingRejections(rate) as Limiter<unknown>)
        : (subWindowLog(rate, {
            subWindowMs: (found.granularitySeconds ?? 1) * 1_000,
          }) as Limiter<unknown>);
    case 'fixed-window-wall-clock':
      return fixedWindow(rate) as Limiter<unknown>;
    case 'fixed-window-phase':
      return fixedWindow(rate, phase) as Limiter<unknown>;
    case 'fixed-window-first-request':
      return fixedWindowFirstRequest(rate) as Limiter<unknown>;
    case 'two-bucket':
      return twoBucket(rate, phase) as Limiter<unknown>;
    case 'two-bucket-counting-rejections':
      return twoBucket(rate, { ...phase, counts: 'all' }) as Limiter<unknown>;
    case 'concurrency-limit':
      return concurrencyLimit(rate) as Limiter<unknown>;
    // All are given by what may come at once, and how long that takes to come back.
    case 'token-bucket':
    case 'leaky-bucket':
    case 'leaky-bucket-queue':
      return tokenBucket(rate) as Limiter<unknown>;
    case 'extend-on-reject':
      return extendOnReject(rate) as Limiter<unknown>;
    case 'block-on-reject':
      return extendOnReject(rate, { extendedBy: 'first-rejection' }) as Limiter<unknown>;
    case 'unidentified':
      return null;
    default:
      return algorithm satisfies never;
  }
}

function middleMs(phaseSeconds: Candidate['phaseSeconds']): number {
  return phaseSeconds === null ? 0 : ((phaseSeconds.low + phaseSeconds.high) / 2) * 1_000;
}
