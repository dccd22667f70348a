import type { Exchange } from '../contract/exchange.ts';
import { lateVisit } from './burst.ts';
import { askAtBoundary, firstOfFew } from './few-places.ts';
import { mayHaveFilledItself } from './filled-itself.ts';
import { confirm, fill, fillToSaturationMs, saturate, single } from './filling.ts';
import { gap, isGapBefore } from './gap.ts';
import { ladderMs } from './ladder.ts';
import { quietMs } from './moments.ts';
import { nextPromisedStep } from './promised-schedule.ts';
import { askLate, followUp, reburst, singleReturn } from './reburst.ts';
import { retriesOf } from './retries.ts';
import { isEarly, returned } from './returned.ts';
import { nextOfSeveral } from './several-schedule.ts';
import { sortedOf } from './sorted-history.ts';
import {
  atMoment,
  type History,
  isOfOneCost,
  lastEndedMs,
  lastSentMs,
  type ProbeRequest,
  type Step,
  send,
  type Target,
} from './steps.ts';

/**
 * The probe of one scope as a pure function of the answers so far: the same code runs over sockets and in virtual time.
 * The first exchange, sent by the preflight, is the anchor: it is the first request to leave the window.
 *
 * The order: a partial fill at once; some places one by one; saturation a little later, so that all these leave the
 * window separately; confirming 429s at different fractions of a second; single requests through the quiet part of the
 * window; a ladder of single requests around the expiry of the anchor; a burst into the gap before the saturation
 * expires, where only the fill may have come back; where the anchor left late, single requests around the expiry of each
 * place taken alone; and a burst once everything has left. A run that does not announce itself draws gaps, sizes and order,
 * and comes back once more at a late moment.
 */
export function nextStep(target: Target, soFar: readonly Exchange[], nowMs: number): Step {
  if (target.parts !== undefined) return nextOfSeveral(target, soFar, nowMs);
  const isRolling = target.promise === 'rolling' && target.isShared !== true && isOfOneCost(target);
  if (!isRolling) return nextPromisedStep(target, soFar, nowMs);
  const seen = historyOf(target, soFar);
  return (
    fill(target, seen, nowMs) ??
    single(target, seen, nowMs) ??
    saturate(target, seen, nowMs) ??
    confirm(target, seen, nowMs) ??
    askOtherKey(target, soFar, 'other-key') ??
    quiet(target, seen, nowMs) ??
    gap(target, seen, nowMs) ??
    followUp(target, seen, nowMs) ??
    singleReturn(target, seen, nowMs) ??
    reburst(target, seen, nowMs) ??
    askAtBoundary(target, seen, nowMs) ??
    askOtherKey(target, soFar, 'other-key-late') ??
    askLate(target, seen, nowMs) ??
    lateVisit(target, seen, nowMs) ?? { kind: 'done' }
  );
}

function historyOf(target: Target, soFar: readonly Exchange[]): History {
  const { anchor, own, by, limited } = sortedOf(target, soFar);
  return { anchor, own, by, wasLimited: (purpose) => limited.has(purpose) };
}

/**
 * Single requests until something is admitted again: in the quiet part, around the expiry, and after announced waits.
 */
function quiet(target: Target, seen: History, nowMs: number): Step | null {
  const { anchor, by } = seen;
  if (by('gap').length > 0 || by('gap-edge').length > 0 || by('reburst').length > 0) return null;
  const firstReturn = returned(seen)[0];
  const retry = retriesOf(seen, target).find(({ sent }) => !sent);
  if (firstReturn !== undefined) {
    if (retry === undefined || isEarly(target, seen, firstReturn) || mayHaveFilledItself(target, seen))
      return null;
    if (firstOfFew(target, seen) !== null || isGapBefore(target, seen, retry.dueMs)) return null;
    return atMoment({
      dueMs: retry.dueMs,
      purpose: retry.purpose,
      why: 'waiting as announced',
      target,
      nowMs,
    });
  }
  const startedMs = lastEndedMs(by('confirm'));
  const lastMs = Math.max(startedMs, lastSentMs(by('quiet')), lastSentMs(by('ladder')));
  const moments = singleMoments(target, seen);
  const untilMs = Math.max(anchor.sentMs + target.windowMs * 1.5, moments.ladderMs.at(-1) ?? 0);
  const coarse = moments.quietMs.find((ms) => ms > lastMs);
  const rung = moments.ladderMs.find((ms) => ms > lastMs);
  const candidates = [
    { dueMs: coarse, purpose: 'quiet', why: 'quiet part of the window' },
    { dueMs: rung, purpose: 'ladder', why: 'until the first request leaves the window' },
    { dueMs: retry?.dueMs, purpose: retry?.purpose ?? '', why: 'waiting as announced' },
  ].filter((candidate) => candidate.dueMs !== undefined);
  const next = candidates.reduce<(typeof candidates)[number] | null>(
    (best, candidate) => (best === null || (candidate.dueMs ?? 0) < (best.dueMs ?? 0) ? candidate : best),
    null,
  );
  if (next?.dueMs === undefined || next.dueMs > untilMs) return null;
  return atMoment({ dueMs: next.dueMs, purpose: next.purpose, why: next.why, target, nowMs });
}

type SingleMoments = {
  readonly target: Target;
  readonly quietMs: readonly number[];
  readonly ladderMs: readonly number[];
};

/** By anchor: each step of a run asks for the same ones. */
const momentsSince = new WeakMap<Exchange, SingleMoments>();

function singleMoments(target: Target, seen: History): SingleMoments {
  const { anchor } = seen;
  const known = momentsSince.get(anchor);
  if (known?.target === target) return known;
  const { limit, windowMs, vary } = target;
  const moments: SingleMoments = {
    target,
    quietMs: quietMs(anchor, windowMs, vary),
    ladderMs: ladderMs(anchor, {
      ...{ limit, windowMs, vary, retries: retriesOf(seen, target).length },
      fullMs: fillToSaturationMs(windowMs),
    }),
  };
  momentsSince.set(anchor, moments);
  return moments;
}

/** A few requests with the second key. A window of its own admits them. */
function askOtherKey(target: Target, soFar: readonly Exchange[], purpose: string): Step | null {
  const { otherKey, scope } = target;
  if (otherKey === null || sortedOf(target, soFar).asked.has(purpose)) return null;
  const request: ProbeRequest = { scope, route: 'main', key: otherKey, credential: 'valid' };
  // Of a limit of 1, a second one would be a 429 that shows nothing.
  return send(purpose, target.limit === 1 ? [request] : [request, request]);
}
