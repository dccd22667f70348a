import { bounds, settledAfterMs, windowMsAtLeast, windowMsAtMost } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { excess, excesses } from './burst.ts';
import { firstOfTwoBackMs, middleAtMs, onlyPlaceBackMs, windowsOfFew } from './few-places.ts';
import { mayHaveFilledItself } from './filled-itself.ts';
import { fillToSaturationMs } from './filling.ts';
import { lastRetry } from './retries.ts';
import { isEarly, returned } from './returned.ts';
import { areRejectionsFree, askForSingle, lateMaxMs } from './single-places.ts';
import {
  atMoment,
  endedMs,
  type History,
  lastEndedMs,
  requests,
  type Step,
  send,
  type Target,
} from './steps.ts';
import { drawn, drawnInteger } from './variation.ts';

/**
 * One more request when an announced wait is over, where none so far has shown one to suffice: in a slow network the
 * ladder takes the anchor's place, and nothing else comes back before the first waits are over.
 */
export function followUp(target: Target, seen: History, nowMs: number): Step | null {
  if (seen.by('reburst').length > 0 || returned(seen).length === 0 || mayHaveFilledItself(target, seen))
    return null;
  // What was taken after an early return has to be asked for before a window of the documented length would give it back.
  if (emptyIfShorterMs(target, seen) !== null) return null;
  // A single place has to stay free until the burst.
  if (onlyPlaceBackMs(target, seen) !== null) return null;
  const retry = lastRetry(seen, target, reburstMs(target, seen));
  return retry === null ? null : atMoment({ ...retry, why: 'waiting as announced', target, nowMs });
}

/** Only once the window was filled to the last place again, so that each place that comes back is one of them. */
export function singleReturn(target: Target, seen: History, nowMs: number): Step | null {
  if (seen.by('reburst').length > 0 || !seen.wasLimited('gap-edge')) return null;
  return askForSingle(target, seen, reburstMs(target, seen), nowMs);
}

/**
 * A full burst once the last request of the saturation has left: as soon as the service counts nothing but what is ours
 * again, otherwise one second later, for limiters that count in whole seconds. Where an early burst met a refusal, what
 * follows it waits for that second: a count that is stated may be wrong.
 */
export function reburst(target: Target, seen: History, nowMs: number): Step | null {
  const { own, by } = seen;
  if (by('reburst-edge').length > 0) return null;
  const dueMs = reburstMs(target, seen);
  const untilDue: Step = { kind: 'wait', why: 'until everything has left the window', untilMs: dueMs };
  const sent = by('reburst');
  if (sent.length > 0) {
    if (nowMs < dueMs && sent.some(({ outcome }) => outcome !== 'admitted')) return untilDue;
    return send('reburst-edge', requests(target, drawnInteger(target.vary, excesses, 'reburst-edge')));
  }
  const emptyMs = emptyIfShorterMs(target, seen);
  const fromMs = emptyMs ?? nowMs - windowMsAtMost(target.windowMs);
  const inWindow = own.filter(({ outcome, sentMs }) => outcome === 'admitted' && sentMs >= fromMs).length;
  const left = target.limit - inWindow;
  // Who reads a count before it adds to it lets too many pass only where a place is free: the last one is left to the burst.
  const isLast = left === 1;
  const isAsked =
    !isLast &&
    emptyMs === null &&
    onlyPlaceBackMs(target, seen) === null &&
    !mayHaveFilledItself(target, seen);
  const early = isAsked ? askEarly(target, seen, nowMs) : null;
  if (early !== null) return early;
  if (!isCountOurs(target, seen)) {
    if (nowMs < dueMs) return untilDue;
    const recounted = isAsked ? recount(target, seen, nowMs) : null;
    if (recounted !== null) return recounted;
  }
  return send('reburst', requests(target, isLast ? 1 + excess : Math.max(1, left - 1)));
}

/**
 * One request as soon as everything has left: its count says whether a limiter of whole seconds has to be waited for. Not
 * before refusals can be judged, which in short windows is later.
 */
function askEarly(target: Target, seen: History, nowMs: number): Step | null {
  const { vary, windowMs } = target;
  if (vary !== null || isOfASecond(target) || seen.by('all-back').length > 0) return null;
  const emptyMs = reburstMs(target, seen) - settledAfterMs(windowMs) + windowMsAtMost(windowMs);
  const dueMs = Math.max(emptyMs, endedMs(seen.anchor) + settledAfterMs(windowMs));
  if (nowMs < dueMs) return { kind: 'wait', why: 'until everything has left the window', untilMs: dueMs };
  return send('all-back', requests(target, 1));
}

/** Whether the service states that it counts no more than what certainly is in the window. */
function isCountOurs({ limit, windowMs }: Target, { own, by }: History): boolean {
  const [asked] = by('all-back');
  if (asked?.outcome !== 'admitted') return false;
  const remaining = headerInteger(asked, 'remaining');
  const fromMs = endedMs(asked) - windowMsAtLeast(windowMs);
  const ours = own.filter(
    ({ outcome, sentMs }) => outcome === 'admitted' && sentMs > fromMs && sentMs <= asked.sentMs,
  );
  return remaining !== null && limit - remaining <= ours.length;
}

/** For how long the count is watched where it is more than what is ours, as a share of the window. */
export const watchShare = 1 / 6;

/**
 * One request before the burst says how much is counted. Where that is more than can be ours, either the service counts
 * wrongly or somebody else uses the key: then it is asked again after a silence, in which only the latter makes it more.
 */
function recount(target: Target, seen: History, nowMs: number): Step | null {
  const [first, second] = seen.by('recount');
  if (first === undefined) return send('recount', requests(target, 1));
  const { limit, windowMs } = target;
  const remaining = first.outcome === 'admitted' ? headerInteger(first, 'remaining') : null;
  if (second !== undefined || remaining === null) return null;
  const isFree = areRejectionsFree(target, seen);
  const ours = seen.own.filter(
    (one) =>
      !(isFree && one.outcome === 'limited') && endedMs(one) >= first.sentMs - settledAfterMs(windowMs),
  );
  if (limit - remaining <= ours.length) return null;
  const dueMs = endedMs(first) + windowMs * watchShare;
  return atMoment({ dueMs, purpose: 'recount', why: 'watching for use of the key by others', target, nowMs });
}

/**
 * What has to leave before a full burst. What came back with the fill is still in the window then, and known to be; but in one of
 * a second it has left, or has not where whole seconds count. Where rejections may have kept the window full, all has to leave.
 */
function leavingLast(target: Target, seen: History): readonly Exchange[] {
  const hasToBeEmpty = mayHaveFilledItself(target, seen);
  if (!hasToBeEmpty && !isOfASecond(target)) return seen.by('saturate');
  return seen.own.filter(
    ({ purpose, outcome }) => !lastPurposes.has(purpose) && (hasToBeEmpty || outcome === 'admitted'),
  );
}

const lastPurposes: ReadonlySet<string> = new Set(['recount', 'reburst', 'reburst-edge']);

/** Whether a second, which a place may be held longer, is more of a window than lies between its fill and its saturation. */
function isOfASecond({ windowMs }: Pick<Target, 'windowMs'>): boolean {
  return windowMs - fillToSaturationMs(windowMs) < bounds.granularityMs;
}

/** How long the probe of a rolling window takes where it is kept, ms. */
export function rollingMs(windowMs: number, limit: number): number {
  const filledMs = fillToSaturationMs(windowMs) + settledAfterMs(windowMs * windowsOfFew(limit));
  // What came back with the fill, and a request after an announced wait, have to leave too.
  return isOfASecond({ windowMs }) ? filledMs + windowMs + bounds.granularityMs : filledMs;
}

function reburstMs(target: Target, seen: History): number {
  const spareMs = drawn(target.vary, { usual: 20, least: 20, most: 600 }, 'reburst-at');
  const onlyMs = onlyPlaceBackMs(target, seen);
  if (onlyMs !== null) return middleAtMs(target, onlyMs) + spareMs;
  const lastMs = Math.max(endedMs(seen.anchor), lastEndedMs(leavingLast(target, seen)));
  // Of two places the second one is taken still.
  const leavesMs = firstOfTwoBackMs(target, seen) ?? lastMs;
  return (emptyIfShorterMs(target, seen) ?? leavesMs + settledAfterMs(target.windowMs)) + spareMs;
}

/**
 * After an early return: when everything would have left a rolling window that is shorter than documented. Only such a
 * window has all its places back by then; a window that was emptied at a boundary has not. `null` where nothing came
 * back early.
 */
function emptyIfShorterMs(target: Target, seen: History): number | null {
  const [first] = returned(seen);
  if (first === undefined || !isEarly(target, seen, first)) return null;
  const admitted = seen.own.filter(({ outcome }) => outcome === 'admitted');
  // A limiter that never admitted a whole limit was not full, so nothing came back. The re-burst comes at its usual
  // time.
  if (admitted.length <= target.limit) return null;
  return lastEndedMs(admitted) + windowMsAtMost(endedMs(first) - seen.anchor.sentMs);
}

/**
 * A few requests where the first place came back late and the burst met refusals. Either all places are held so long, or the
 * requests that were rejected meanwhile took places, those of the burst among them: a few are asked for once what the
 * saturation took would have left a window that is so much too long.
 */
export function askLate(target: Target, seen: History, nowMs: number): Step | null {
  const [first] = returned(seen);
  if (first === undefined || seen.by('late-return').length > 0) return null;
  const lateMs = endedMs(first) - endedMs(seen.anchor) - target.windowMs;
  if (lateMs <= lateMaxMs || !seen.wasLimited('reburst')) return null;
  const taken = seen.by('saturate').filter(({ outcome }) => outcome === 'admitted');
  const dueMs = lastEndedMs(taken) + windowMsAtMost(target.windowMs) + lateMs;
  if (nowMs < dueMs)
    return { kind: 'wait', why: 'until all would have left a longer window', untilMs: dueMs };
  return send('late-return', requests(target, excess));
}
