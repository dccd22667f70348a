import { bounds, settledAfterMs, windowMsAtMost } from '../contract/bounds.ts';
import { lastRetry } from './retries.ts';
import { isEarly, returned } from './returned.ts';
import { areRejectionsFree } from './single-places.ts';
import { atMoment, endedMs, type History, lastEndedMs, type Step, type Target } from './steps.ts';

/**
 * Rolling limits of 1 and 2 leave no places to be taken one by one before the window is full. A window of two places that begins anew
 * is told by the second one, if it is taken well after the first. Of one place, a window that begins with its request is the rolling
 * one; one whose windows begin by a clock is told where the place was taken in the middle of them.
 */
const few = 2;

/** Of one place: after it has come back the next time, in windows. It lies between the boundaries of any grid that fits so far. */
const middleShare = 1.4;

/**
 * Of two places: how long after the first the second one is taken, in windows; in a short one longer than it is waited once all has come
 * back.
 */
const apartShares = { usual: 1 / 3, most: 3 / 4 } as const;

/** When the first of so few places came back, ms; `null` where there are more, or it has not. */
export function firstOfFewBackMs(target: Target, seen: History): number | null {
  const [first] = returned(seen);
  if (first === undefined || target.limit > few || isEarly(target, seen, first)) return null;
  return areRejectionsFree(target, seen) ? endedMs(first) : null;
}

/** When the only place came back, ms; `null` where there are more, or it has not. */
export function onlyPlaceBackMs(target: Target, seen: History): number | null {
  return target.limit === 1 ? firstOfFewBackMs(target, seen) : null;
}

/** When the first of two places came back, ms; `null` where there are more or fewer, or it has not. */
export function firstOfTwoBackMs(target: Target, seen: History): number | null {
  return target.limit === 2 ? firstOfFewBackMs(target, seen) : null;
}

/** When the second of two places is taken, ms, where the first came back at a moment. */
export function secondAtMs({ windowMs }: Target, firstMs: number): number {
  const shortMs = Math.min(windowMs * apartShares.most, bounds.granularityMs + 300);
  return firstMs + Math.max(windowMs * apartShares.usual, shortMs);
}

/** When a single place is taken again, ms, where it came back at a moment. */
export function middleAtMs({ windowMs }: Target, firstMs: number): number {
  return firstMs + windowMs * middleShare;
}

/**
 * When the boundary has passed of any grid that fits the first return, ms, even by the slowest clock within the stated bounds: the place
 * is taken still. Requests before the filling, those without a key among them, may have taken it too.
 */
function boundaryPassedMs({ windowMs }: Target, { own, by }: History, firstMs: number): number {
  const fillingMs = by('saturate')[0]?.sentMs ?? firstMs;
  const beforeMs = lastEndedMs(own.filter(({ sentMs }) => sentMs < fillingMs));
  return Math.max(firstMs, beforeMs + windowMs) + windowMsAtMost(3 * windowMs) - windowMs + spareMs;
}

/** What is waited for beyond the bounds, ms. */
const spareMs = 50;

/** How long such a probe takes where the limit is kept, in windows; 1 for more places. */
export function windowsOfFew(limit: number): number {
  if (limit > few) return 1;
  return limit === 1 ? 1 + middleShare + 1 : 2;
}

/**
 * Of one place: whether it is held still once a boundary of a clock has passed, and then whether the wait suffices that this 429
 * announced.
 */
export function askAtBoundary(target: Target, seen: History, nowMs: number): Step | null {
  const firstMs = onlyPlaceBackMs(target, seen);
  if (firstMs === null || !seen.wasLimited('reburst-edge')) return null;
  if (seen.by('boundary').length > 0) {
    // A wait that is announced too long is not waited for.
    const retry = lastRetry(seen, target, middleAtMs(target, firstMs) + 2 * settledAfterMs(target.windowMs));
    return retry === null ? null : atMoment({ ...retry, why: 'waiting as announced', target, nowMs });
  }
  const dueMs = boundaryPassedMs(target, seen, firstMs);
  return atMoment({
    dueMs,
    purpose: 'boundary',
    why: 'until a boundary of the clock has passed',
    target,
    nowMs,
  });
}
