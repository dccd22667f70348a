import type { Exchange } from '../contract/exchange.ts';
import { countedReturnMs } from './counted-return.ts';
import { firstOfFewBackMs } from './few-places.ts';
import { mayHaveFilledItself } from './filled-itself.ts';
import { isGapBefore } from './gap.ts';
import { isSmall, ladderMs } from './ladder.ts';
import { quietMs } from './moments.ts';
import { retriesOf } from './retries.ts';
import { isEarly, returned } from './returned.ts';
import { atMoment, type History, lastEndedMs, lastSentMs, type Step, type Target } from './steps.ts';

/**
 * Single requests until something is admitted again: in the quiet part, around the expiry, and after announced waits.
 */
export function quiet(target: Target, seen: History, nowMs: number): Step | null {
  const { anchor, by } = seen;
  if (by('gap').length > 0 || by('gap-edge').length > 0 || by('reburst').length > 0) return null;
  const firstReturn = returned(seen)[0];
  const retry = retriesOf(seen, target).find(({ sent }) => !sent);
  if (firstReturn !== undefined) {
    if (retry === undefined || isEarly(target, seen, firstReturn) || mayHaveFilledItself(target, seen))
      return null;
    if (firstOfFewBackMs(target, seen) !== null || isGapBefore(target, seen, retry.dueMs)) return null;
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
  const counted = isSmall(target) ? countedReturnMs(target, seen) : null;
  const candidates = [
    { dueMs: coarse, purpose: 'quiet', why: 'quiet part of the window' },
    { dueMs: rung, purpose: 'ladder', why: 'until the first request leaves the window' },
    { dueMs: counted ?? undefined, purpose: 'ladder', why: 'until rejected requests leave the window' },
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
    quietMs: quietMs(anchor, target),
    ladderMs: ladderMs(anchor, { limit, windowMs, vary, retries: retriesOf(seen, target).length }),
  };
  momentsSince.set(anchor, moments);
  return moments;
}
