import type { Exchange } from '../../contract/exchange.ts';
import { leastOf } from '../../contract/extremes.ts';
import type { Fit, Span } from '../../judge/identify/fit.ts';
import { type Identified, identify } from '../../judge/identify/identify.ts';
import { usualSeconds } from '../../judge/identify/usual-windows.ts';
import { scaled } from '../moments.ts';
import type { Facts, Return } from './facts.ts';
import { endOfFirstWindowMs, lastAskMs } from './first-window.ts';
import { isWaitedFor, lateMomentMs, wasAskedLate } from './late-request.ts';
import { expectedWindowMs, type Unknown } from './unknown.ts';

/** Explanations up to this many times less plausible than the best still get a rung. */
const openFactor = 1e6;

/** A run ends after this many windows, even if several explanations remain. */
const windowsMax = 3.3;

/** After a late request the next return is waited for, whenever that request came: it is a window away, in windows. */
const waitedWindows = 1.1;

/** What came back only after this share of the longest wait is not waited for again: that would double a long run. */
const onceShare = 2 / 3;

/** Most rungs for the next return of one explanation. */
const rungsEachMax = 40;

const rungEveryMs = 120;

/**
 * The next moment, ms, at which the remaining explanations predict different answers; `null` where the run can end. A
 * window is over when its capacity has come back. An unfinished window is watched once more.
 */
export function laterMomentMs(target: Unknown, run: readonly Exchange[], facts: Facts): number | null {
  const { returns, lastSentMs, anchorMs } = facts;
  const last = returns.at(-1);
  if (last === undefined) return momentWithoutReturn(target, facts);
  const restMs = momentOfRest(target, facts);
  if (restMs !== null) return restMs;
  const found = identifiedUntilReturn(target, run, last.sentMs);
  const lateMs = target.windows === 1 ? null : lateMomentMs(target, run, facts, found);
  if (lateMs === null && isEnough(target, found, facts) && !isWaitedFor(run, returns, found)) return null;
  const firstMs = (returns[0] ?? last).sentMs;
  const windowsLeft = windowsMax + Number(wasAskedLate(run, returns, found)) + Number(isTied(found));
  const windowMs = Math.max(expectedWindowMs(target), firstMs - anchorMs);
  const untilMs = Math.max(
    anchorMs + windowsLeft * windowMs,
    isWaitedFor(run, returns, found) ? last.sentMs + waitedWindows * windowMs : 0,
  );
  if (
    firstMs - anchorMs > onceShare * target.windowMsMax &&
    firstMs - anchorMs > 2 * expectedWindowMs(target)
  )
    return null;
  const boundMs = Math.min(untilMs, last.sentMs + target.windowMsMax);
  const [best] = found.fits;
  const open = found.fits.filter(
    (fit) => fit.contradictedBy.length === 0 && fit.plausibility * openFactor >= (best?.plausibility ?? 0),
  );
  const extending = found.tied.find(({ algorithm }) => algorithm === 'extend-on-reject');
  if (extending !== undefined)
    return afterSilenceMs(facts, Math.min(extending.lengthMs, target.windowMsMax), boundMs);
  if (lateMs !== null && lateMs <= untilMs + windowMs) return lateMs;
  const { originMs } = found.observations;
  const next = open
    .flatMap((fit) => nextReturns(fit, { last, originMs, target }))
    .flatMap(rungsOver)
    .filter((ms) => ms > lastSentMs + closestMs && ms <= boundMs);
  return next.length === 0 ? null : leastOf(next);
}

/**
 * Where only the first request's place has come back: when the others would be back from a log, which is as much later as
 * they were sent later, and then until a sub-window has passed.
 */
function momentOfRest(target: Unknown, facts: Facts): number | null {
  const [first, ...others] = facts.returns;
  if (first === undefined || others.length > 0 || first.taken > partShare * facts.limit) return null;
  const windowMs = expectedWindowMs(target);
  const logMs = first.endMs + facts.fullMs - facts.anchorMs;
  const moments = [logMs + scaled(restMs, windowMs), ...restShares.map((share) => logMs + share * windowMs)];
  return moments.find((ms) => ms > facts.lastSentMs + closestMs) ?? null;
}

/** No more than this share of the limit has come back. */
const partShare = 0.2;

/** After the moment at which a log would have returned the others: ms, and fractions of the expected window. */
const restMs = 250;
const restShares = [0.04, 0.09, 0.13, 0.18] as const;

/** Two requests closer together than this show no more than one. */
const closestMs = 15;

/** Factor a little above one window, for a limiter that waits for a whole window without a request. */
const silence = 1.05;

function afterSilenceMs({ lastSentMs, fullMs }: Facts, windowMs: number, boundMs: number): number | null {
  const ms = Math.max(lastSentMs, fullMs) + windowMs * silence;
  return ms <= boundMs + windowMs ? ms : null;
}

/**
 * Where nothing came back in time: a little later, because counts may be kept in coarse sub-windows; then after
 * silence, because each refusal may restart the block; and once more after a longer silence, when the longest wait is over.
 */
function momentWithoutReturn(target: Unknown, facts: Facts): number | null {
  const windowMs = expectedWindowMs(target);
  const { lastSentMs, fullMs } = facts;
  const endMs = endOfFirstWindowMs(target, facts);
  const late = lateShares
    .map((share) => fullMs + share * windowMs)
    .find((ms) => ms > lastSentMs && ms > endMs);
  if (late !== undefined) return late;
  const silentFromMs = Math.max(endMs, fullMs + (lateShares.at(-1) ?? 1) * windowMs);
  // Afterwards the last request is later than that by a whole silence.
  if (lastSentMs < silentFromMs + windowMs / 2) return lastSentMs + windowMs * silence;
  const lastMs = Math.max(lastAskMs(target, facts), silentFromMs + windowMs * (silence + longSilence));
  return lastSentMs < lastMs - windowMs ? lastMs : null;
}

/** In windows: for a block that each refusal begins anew, and that is longer than a window. */
const longSilence = 1.2;

/** Fractions of the expected window, after the first burst. */
const lateShares = [1.1, 1.14, 1.18, 1.26, 1.36] as const;

/** What was identified, by the last exchange of a prefix: the same prefix is asked about at every rung. */
const memory = new WeakMap<Exchange, Identified>();

/** What the run shows up to its last return. Until the next return only refusals are added, which change nothing. */
export function identifiedUntilReturn(
  target: Unknown,
  run: readonly Exchange[],
  returnMs: number,
): Identified {
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
      return (
        isOver &&
        (isSettled(target, found) ||
          fits.length === 0 ||
          windowsSeen >= windowsEnough + Number(isTied(found)))
      );
    case 2:
      return isOver && windowsSeen >= windowsEnough;
    default:
      return target.windows satisfies never;
  }
}

/** So many windows that were seen to come back show what limits, one more where several explanations are as good. */
const windowsEnough = 3;

function isTied({ tied }: Identified): boolean {
  return tied.length > 1;
}

/** A bucket is described by its rate: it has no length of window that could be expected. */
function isRate({ algorithm }: Fit): boolean {
  return algorithm === 'token-bucket' || algorithm === 'leaky-bucket';
}

type Now = { readonly last: Return; readonly originMs: number; readonly target: Unknown };

/**
 * A length whose interval is wider than this is measured once more. One that was expected may lie anywhere in a wider one,
 * where nothing else is anywhere near as plausible.
 */
const settledMs = { alone: 2_500, others: 800 } as const;

/**
 * One boundary of a grid, and the share of the window before, show only roughly how long a window is: up to this ratio of
 * the longest to the shortest.
 */
const settledRatio = 1.5;

/**
 * Where a length was found that nobody expected, explanations up to this many times less plausible remain; fewer where it is
 * a usual one, because the true length is hardly ever usual by accident.
 */
const unexpectedFactor = { usual: 30, odd: 1e5 } as const;

/**
 * Whether one explanation is left, and the length of a window that begins with a request is known closely. That a
 * length is more usual than others is enough only where it was expected.
 */
function isSettled({ windowMs }: Unknown, { tied: [fit, ...others], fits }: Identified): boolean {
  if (fit === undefined || others.length > 0) return false;
  const isExpected = fit.lengthMs === windowMs || isRate(fit);
  const isUsual = !isExpected && usualSeconds.some((seconds) => fit.lengthMs === seconds * 1_000);
  const factor = unexpectedFactor[isUsual ? 'usual' : 'odd'];
  const open = fits.filter(
    (one) => one.contradictedBy.length === 0 && one.plausibility * factor >= fit.plausibility,
  );
  if (!isExpected && open.length > 1) return false;
  switch (fit.algorithm) {
    case 'sub-window-log':
      return fit.window.highMs - fit.window.lowMs <= settledMs.alone + (fit.granularityMs ?? 0);
    case 'sliding-log':
    case 'sliding-log-counting-rejections':
    case 'fixed-window-first-request':
      return (
        fit.window.highMs - fit.window.lowMs <=
        (isExpected && open.length === 1 ? scaled(settledMs.alone, fit.lengthMs) : settledMs.others)
      );
    case 'two-bucket':
    case 'two-bucket-counting-rejections':
      return isBounded(fit);
    case 'fixed-window-wall-clock':
    case 'fixed-window-phase':
      return isExpected || isBounded(fit);
    default:
      return true;
  }
}

function isBounded({ window }: Fit): boolean {
  return window.highMs <= settledRatio * window.lowMs;
}

/** Lengths of windows of a grid of which one boundary alone has been seen, ms. */
const boundedMs = [60_000, 120_000, 300_000, 600_000, 900_000, 3_600_000] as const;

/** When a limiter would next return capacity. */
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
      : [expectedWindowMs(target), window.lowMs, ...boundedMs]
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
