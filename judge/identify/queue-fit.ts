import { bounds } from '../../contract/bounds.ts';
import { greatestOf, leastOf } from '../../contract/extremes.ts';
import { possiblyBeside } from './concurrency-fit.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { inOrderOfAnswers, type Observations } from './observations.ts';
import { limitPlausibility } from './plausibility.ts';

/**
 * Answers in a row that have to come evenly spaced, and so many of their requests have to have waited for another one:
 * fewer may do so by chance.
 */
const spacedMin = 7;

/**
 * Each gap is at least this many times as long as an answer takes without others, or longer by more than its length may
 * vary: else the service is just slow.
 */
const slowerMin = 1.5;

/** A timer of the service may be off by this much, ms, and each gap by this share of itself. */
const timer = { ms: 15, share: 0.25 } as const;

/** The window for which the rate of a queue is given where none is expected. */
const usualWindowMs = 60_000;

/**
 * A leaky bucket that lets requests wait: answers to requests that were sent together come evenly spaced. Requests are
 * refused only while others wait. `null` where answers are not spaced.
 */
export function fitQueue(seen: Observations, hints: Hints): Fit | null {
  const uncertainMs = unevenMs(seen);
  const spaced = chainsOf(seen)
    .map((answers) => longestEven(answers, uncertainMs))
    .filter((one) => one !== null);
  const longest = spaced.reduce<Spaced | null>(
    (left, right) => (left === null || right.count > left.count ? right : left),
    null,
  );
  if (longest === null || isSlow(longest, aloneMs(seen))) return null;
  const { limit, window } = ratedBy(longest.gap, hints);
  return {
    algorithm: 'leaky-bucket-queue',
    limit,
    window,
    lengthMs: lengthWithin(window, hints),
    contradictedBy: seen.refusals.filter((at) => possiblyBeside(seen, at) === 0),
    // Nothing else spaces its answers.
    plausibility: 10,
  };
}

/** Whether a service that works on one request at a time would answer like this. */
function isSlow({ count, gap, offMs }: Spaced, aloneMs: number): boolean {
  const variesMs = timer.ms + offMs / Math.sqrt(count);
  return gap.lowMs < slowerMin * aloneMs && gap.lowMs < aloneMs + variesMs;
}

/**
 * When an answer came, ms, whether its request had been sent before the answer before it came, and how long after it otherwise:
 * the queue may have been empty as long.
 */
type Answer = { readonly endMs: number; readonly hasWaited: boolean; readonly pausedMs: number };

/**
 * The answers to admitted requests, in rows: each of a row was sent before the answer before it came, or so soon after it that
 * it had to wait for its turn nevertheless.
 */
function chainsOf({ low, high, isAdmitted }: Observations): readonly (readonly Answer[])[] {
  const chains: Answer[][] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const at of inOrderOfAnswers(high)) {
    const [sentMs, endMs] = [low[at] as number, high[at] as number];
    if (isAdmitted[at] !== true || !Number.isFinite(endMs)) continue;
    const chain = chains.at(-1);
    const answer = { endMs, hasWaited: sentMs < lastMs, pausedMs: Math.max(0, sentMs - lastMs) };
    if (chain !== undefined && isFollowing(lastMs, { lowMs: sentMs, highMs: endMs })) chain.push(answer);
    else chains.push([answer]);
    lastMs = endMs;
  }
  return chains;
}

/** Whether a request was sent sooner after the answer before it than it then took itself. */
function isFollowing(lastMs: number, { lowMs, highMs }: Span): boolean {
  return lowMs - lastMs < highMs - lowMs;
}

/** So many gaps of about one length; each answer may be off by as much, ms. */
type Spaced = { readonly count: number; readonly gap: Span; readonly offMs: number };

/**
 * The longest evenly spaced part of a chain: its beginning may have passed at once, and what was sent after it was
 * answered need not have waited.
 */
function longestEven(answers: readonly Answer[], uncertainMs: number): Spaced | null {
  let best: Spaced | null = null;
  for (let from = 0; from + Math.max(spacedMin, (best?.count ?? 0) + 2) <= answers.length; from += 1) {
    const spaced = evenFrom(answers, from, uncertainMs);
    if (spaced !== null && spaced.count > (best?.count ?? 0)) best = spaced;
  }
  return best;
}

/** The answers from a place on, for as long as some gap explains when all of them came. */
function evenFrom(answers: readonly Answer[], from: number, uncertainMs: number): Spaced | null {
  const firstMs = (answers[from] as Answer).endMs;
  let fitsLowMs = 0;
  let fitsHighMs = Number.POSITIVE_INFINITY;
  let count = 0;
  let waited = 0;
  let offMs: number = timer.ms;
  for (let at = from + 1; at < answers.length; at += 1) {
    const { endMs, hasWaited } = answers[at] as Answer;
    const sinceMs = endMs - firstMs;
    const gaps = at - from;
    const mayBeOffMs = Math.max(timer.ms, uncertainMs, (timer.share * sinceMs) / gaps);
    const lowMs = Math.max(fitsLowMs, (sinceMs - mayBeOffMs) / gaps);
    const highMs = Math.min(fitsHighMs, (sinceMs + mayBeOffMs) / gaps);
    if (lowMs > highMs) break;
    fitsLowMs = lowMs;
    fitsHighMs = highMs;
    offMs = mayBeOffMs;
    count = gaps;
    if (hasWaited) waited += 1;
  }
  const spanMs = (answers[from + count] as Answer).endMs - firstMs;
  if (waited + 1 < spacedMin || spanMs < spacedMin * offMs) return null;
  const ends = answers.slice(from, from + count + 1).map(({ endMs }) => endMs);
  // A few answers of requests without others may all have been quick ones: the gaps themselves show how uneven they are.
  const unevenMs = greatestOf(ends.slice(1).map((ms, at) => ms - (ends[at] as number) - spanMs / count));
  const mostOffMs = Math.max(offMs, unevenMs) + bounds.clockRate * spanMs;
  const pausedMs = answers.slice(from + 1, from + count + 1).reduce((sum, one) => sum + one.pausedMs, 0);
  return {
    count,
    gap: { lowMs: (spanMs - pausedMs - mostOffMs) / count, highMs: (spanMs + mostOffMs) / count },
    offMs: mostOffMs,
  };
}

/** How long each request took that neither had to wait for another nor followed one closely, ms. */
function alone({ low, high, isAdmitted }: Observations): readonly number[] {
  let latestMs = Number.NEGATIVE_INFINITY;
  const times: number[] = [];
  low.forEach((lowMs, at) => {
    const highMs = high[at] as number;
    const isBeside =
      isFollowing(latestMs, { lowMs, highMs }) || (low[at + 1] ?? Number.POSITIVE_INFINITY) < highMs;
    latestMs = Math.max(latestMs, highMs);
    if (!isBeside && isAdmitted[at] === true && Number.isFinite(highMs)) times.push(highMs - lowMs);
  });
  return times;
}

function aloneMs(seen: Observations): number {
  return leastOf(alone(seen));
}

/** How much the time of an answer may vary without a queue, ms: few of them show it, so as much as the slowest took. */
function unevenMs(seen: Observations): number {
  return Math.max(0, greatestOf(alone(seen)));
}

/** So many in so long: the roundest number whose rate lies between two gaps; else one in a gap. */
function ratedBy(gap: Span, hints: Hints): { readonly limit: number; readonly window: Span } {
  const windowMs = hints.windowMs ?? usualWindowMs;
  const [from, to] = [Math.ceil(windowMs / gap.highMs), Math.floor(windowMs / gap.lowMs)];
  let limit = from;
  for (let other = from; other <= to; other += 1) {
    if (limitPlausibility(other, hints) > limitPlausibility(limit, hints)) limit = other;
  }
  if (from > to) return { limit: 1, window: gap };
  return { limit, window: { lowMs: gap.lowMs * limit, highMs: gap.highMs * limit } };
}

function lengthWithin({ lowMs, highMs }: Span, { windowMs = usualWindowMs }: Hints): number {
  return windowMs >= lowMs && windowMs <= highMs ? windowMs : (lowMs + highMs) / 2;
}
