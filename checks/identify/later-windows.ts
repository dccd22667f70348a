import type { Exchange } from '../../contract/exchange.ts';
import type { Fit, Span } from '../../judge/identify/fit.ts';
import { type Identified, identify } from '../../judge/identify/identify.ts';
import type { Facts, Return } from './facts.ts';
import { endOfFirstWindowMs } from './first-window.ts';
import { expectedWindowMs, type Unknown } from './unknown.ts';

/** Explanations this many times less plausible than the best still deserve a rung. */
const openFactor = 1e6;

/** A run ends after so many windows, whatever is still open. */
const windowsMax = 3.3;

/** Rungs for one explanation's next return, at most. */
const rungsEachMax = 40;

const rungEveryMs = 120;

/**
 * The next moment, ms, at which the explanations that are still open part ways; `null` where the run can end. A window is
 * over when its capacity has come back; an unfinished one is watched once more.
 */
export function laterMomentMs(target: Unknown, run: readonly Exchange[], facts: Facts): number | null {
  const { returns, lastSentMs, anchorMs } = facts;
  const last = returns.at(-1);
  if (last === undefined) return momentWithoutReturn(target, facts);
  const found = identifiedUntilReturn(target, run, last.sentMs);
  if (isEnough(target, found, facts)) return null;
  const firstMs = (returns[0] ?? last).sentMs;
  const untilMs = anchorMs + windowsMax * Math.max(expectedWindowMs(target), firstMs - anchorMs);
  const boundMs = Math.min(untilMs, last.sentMs + target.windowMsMax);
  const [best] = found.fits;
  const open = found.fits.filter(
    (fit) => fit.contradictedBy.length === 0 && fit.plausibility * openFactor >= (best?.plausibility ?? 0),
  );
  const extending = found.tied.find(({ algorithm }) => algorithm === 'extend-on-reject');
  if (extending !== undefined)
    return afterSilenceMs(facts, Math.min(extending.lengthMs, target.windowMsMax), boundMs);
  const { originMs } = found.observations;
  const next = open
    .flatMap((fit) => nextReturns(fit, { last, originMs, target }))
    .flatMap(rungsOver)
    .filter((ms) => ms > lastSentMs + closestMs && ms <= boundMs);
  return next.length === 0 ? null : Math.min(...next);
}

/** Two requests closer than this tell no more than one. */
const closestMs = 15;

/** Somewhat more than the window, for that which waits for a whole one without a request. */
const silence = 1.05;

function afterSilenceMs({ lastSentMs, fullMs }: Facts, windowMs: number, boundMs: number): number | null {
  const ms = Math.max(lastSentMs, fullMs) + windowMs * silence;
  return ms <= boundMs + windowMs ? ms : null;
}

/**
 * Where nothing came back when it should have: a little later, for counts that are kept in coarse steps; then after
 * silence, which is what a limiter waits for that begins its block anew with each refusal; then after a longer one.
 */
function momentWithoutReturn(target: Unknown, facts: Facts): number | null {
  const windowMs = expectedWindowMs(target);
  const { lastSentMs, fullMs } = facts;
  const endMs = endOfFirstWindowMs(target, facts);
  const late = lateShares
    .map((share) => fullMs + share * windowMs)
    .find((ms) => ms > lastSentMs && ms > endMs);
  if (late !== undefined) return late;
  const silences = [windowMs * silence, windowMs * 2.2, target.windowMsMax];
  const silentFromMs = Math.max(endMs, fullMs + (lateShares.at(-1) ?? 1) * windowMs);
  const sent = silences.findIndex((_, at) => {
    const before = silences.slice(0, at + 1).reduce((sum, ms) => sum + ms, 0);
    return lastSentMs < silentFromMs + before - windowMs * (silence - 1);
  });
  return sent === -1 ? null : lastSentMs + (silences[sent] as number);
}

/** Of the expected window, after the first burst. */
const lateShares = [1.1, 1.14, 1.18, 1.26, 1.36] as const;

/** Memory of one run at a time: the same prefix is asked about at every rung. */
const memory = new WeakMap<Exchange, Identified>();

/** What the run says; while it waits for the next return nothing changes but the refusals on the way. */
function identifiedUntilReturn(target: Unknown, run: readonly Exchange[], returnMs: number): Identified {
  const firstRefusalAfter = run.findIndex(
    ({ sentMs, outcome }) => sentMs > returnMs && outcome === 'limited',
  );
  const until = firstRefusalAfter === -1 ? run.length : firstRefusalAfter + 1;
  const lastOfPrefix = run[until - 1] as Exchange;
  const known = memory.get(lastOfPrefix);
  if (known !== undefined) return known;
  const { limit, windowMs } = target;
  const found = identify(run.slice(0, until), { limit: limit ?? undefined, windowMs: windowMs ?? undefined });
  memory.set(lastOfPrefix, found);
  return found;
}

function isEnough(target: Unknown, found: Identified, facts: Facts): boolean {
  const { fits } = found;
  const windowsSeen = facts.returns.filter(({ taken }) => taken >= facts.limit * 0.8).length;
  const isOver = facts.lastSentMs >= endOfFirstWindowMs(target, facts) - 1;
  switch (target.windows) {
    case 1:
      return isOver;
    case 'auto':
      return isOver && (isSettled(target, found) || fits.length === 0 || windowsSeen >= 3);
    case 2:
      return isOver && windowsSeen >= 3;
    default:
      return target.windows satisfies never;
  }
}

/** Buckets are given by their rate: a length of window is not expected of them. */
function isRate({ algorithm }: Fit): boolean {
  return algorithm === 'token-bucket' || algorithm === 'leaky-bucket';
}

type Now = { readonly last: Return; readonly originMs: number; readonly target: Unknown };

/** A length that is known no better than this is looked at once more. */
const settledMs = 800;

/** Where the length that was expected is not what was found, others this many times less plausible are still open. */
const unexpectedFactor = 1e5;

/**
 * Whether one explanation is left, and a window that each request or the first of them begins is known closely. That one
 * length is more usual than another is enough only for the length that was expected.
 */
function isSettled({ windowMs }: Unknown, { tied: [fit, ...others], fits }: Identified): boolean {
  if (fit === undefined || others.length > 0) return false;
  const isExpected = fit.lengthMs === windowMs || isRate(fit);
  const open = fits.filter(
    (one) => one.contradictedBy.length === 0 && one.plausibility * unexpectedFactor >= fit.plausibility,
  );
  if (!isExpected && open.length > 1) return false;
  switch (fit.algorithm) {
    case 'sliding-log':
    case 'sliding-log-counting-rejections':
    case 'sub-window-log':
    case 'fixed-window-first-request':
      return fit.window.highMs - fit.window.lowMs <= settledMs;
    default:
      return true;
  }
}

/** When a limiter would next give capacity back. */
function nextReturns(
  { window, boundary, granularityMs }: Fit,
  { last, originMs, target }: Now,
): readonly Span[] {
  const longestMs = Math.min(window.highMs, target.windowMsMax);
  if (boundary === undefined) {
    return [{ lowMs: last.sentMs + window.lowMs, highMs: last.endMs + longestMs + (granularityMs ?? 0) }];
  }
  const from: Span = { lowMs: originMs + boundary.lowMs, highMs: originMs + boundary.highMs };
  const lengths: Span[] =
    window.highMs < target.windowMsMax
      ? [window]
      : [expectedWindowMs(target), window.lowMs, 60_000, 120_000, 300_000]
          .filter((ms) => ms >= window.lowMs && ms <= target.windowMsMax)
          .map((ms) => ({ lowMs: ms, highMs: ms }));
  return lengths.flatMap(({ lowMs, highMs }) =>
    [1, 2, 3].map((times) => ({ lowMs: from.lowMs + times * lowMs, highMs: from.highMs + times * highMs })),
  );
}

function rungsOver({ lowMs, highMs }: Span): readonly number[] {
  const count = Math.min(rungsEachMax, Math.max(4, Math.ceil((highMs - lowMs) / rungEveryMs)));
  const fromMs = lowMs - 150;
  const stepMs = (highMs + 200 - fromMs) / (count - 1);
  return Array.from({ length: count }, (_, at) => fromMs + at * stepMs);
}
