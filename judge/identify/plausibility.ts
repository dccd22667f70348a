import { bounds, windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import type { Hints, Span } from './fit.ts';
import { usualWindows } from './usual-windows.ts';

/**
 * What limiters are usually set to, as weights that sum to 1. They only ever choose between explanations that fit the
 * trace equally well: a limiter is rather one that returns its capacity after 60 s than one that returns it after
 * 57.3 s by some other rule.
 */
const share = { hint: 0.5, usual: 0.35, wholeSeconds: 0.04, tens: 0.1, any: 0.01 } as const;

/** Windows of less than a second are hardly ever set. */
const secondMs = 900;
const anyFromMs = 50;
const anyToMs = 7_200_000;
const anyLogSpan = Math.log(anyToMs / secondMs);
const wholeSecondsMax = 3_600;

/** Harmonic sums up to `wholeSecondsMax`, of the seconds and of each ten of them. */
const wholeSecondsSum = Math.log(wholeSecondsMax) + 0.577;
const tensSum = Math.log(wholeSecondsMax / 10) + 0.577;

/** How plausible it is that a window's length lies in a span. */
export function windowPlausibility(span: Span, { windowMs }: Hints): number {
  const lowMs = Math.max(span.lowMs, anyFromMs);
  const highMs = Math.min(span.highMs, anyToMs);
  const holds = (ms: number): boolean => mayLieIn(ms, span);
  const usual = usualWindows.reduce((sum, { ms, share: part }) => (holds(ms) ? sum + part : sum), 0);
  const hinted = windowMs === undefined ? usual : Number(holds(windowMs));
  const any = (anyIn(lowMs, highMs, anyFromMs) / 50 + anyIn(lowMs, highMs, secondMs)) / anyLogSpan;
  const whole = multiplesWithin({ lowMs, highMs }, 1_000) / wholeSecondsSum;
  const tens = multiplesWithin({ lowMs, highMs }, 10_000) / tensSum;
  return (
    share.hint * hinted +
    share.usual * usual +
    share.wholeSeconds * whole +
    share.tens * tens +
    share.any * any
  );
}

/** Windows shorter than this are hardly ever counted in two buckets, or by a clock of whole seconds, ms. */
export const shortestCountedMs = { buckets: 900, wholeSeconds: 4_900 } as const;

/** How much of a span lies above a length, as a logarithm. */
function anyIn(lowMs: number, highMs: number, fromMs: number): number {
  return Math.max(0, Math.log(highMs / Math.max(lowMs, fromMs)));
}

/** The likeliest length in a span: the one that is expected, else the most usual, else a whole second. */
export function likeliestMs(span: Span, { windowMs }: Hints): number {
  const { lowMs, highMs } = span;
  const holds = (ms: number): boolean => mayLieIn(ms, span);
  if (windowMs !== undefined && holds(windowMs)) return windowMs;
  const usual = usualWindows.find(({ ms }) => holds(ms));
  if (usual !== undefined) return usual.ms;
  const wholeMs = Math.max(1, Math.ceil(lowMs / 1_000)) * 1_000;
  return holds(wholeMs) ? wholeMs : (lowMs + highMs) / 2;
}

/** Whether a length by the service's clock may lie in a span that was measured by ours. */
export function mayLieIn(ms: number, { lowMs, highMs }: Span): boolean {
  return windowMsAtMost(ms) >= lowMs && windowMsAtLeast(ms) <= highMs;
}

/** How plausible a limit is: what is expected, or a round number, rather than any other. */
export function limitPlausibility(limit: number, hints: Hints): number {
  if (limit === hints.limit) return 0.5;
  if (limit % 100 === 0 || limit % 60 === 0 || limit === 10 || limit === 20 || limit === 30 || limit === 50)
    return 0.1;
  if (limit % 25 === 0 || limit === 1 || limit === 2 || limit === 5) return 0.05;
  if (limit % 10 === 0) return limit < 100 ? 0.05 : 0.02;
  return 0.001;
}

/** Rates, per second, that are usually given for buckets without a window. */
const usualRates = [
  0.1,
  0.2,
  0.5,
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  1_000,
  1 / 60,
  1 / 30,
  1 / 12,
  1 / 6,
  1 / 4,
  1 / 3,
] as const;

/** How plausible it is that a bucket's rate, requests per ms, lies between two values. */
export function ratePlausibility(low: number, high: number, { limit, windowMs }: Hints): number {
  const holds = (rate: number): boolean => mayBeRate(rate, low, high);
  const usual = usualRates.filter((rate) => holds(rate / 1_000)).length;
  const expected = limit === undefined || windowMs === undefined ? null : limit / windowMs;
  const hinted = expected !== null && holds(expected) ? 1 : 0;
  const any = Math.log(Math.min(high, rateMax) / Math.max(low, rateMin)) / Math.log(rateMax / rateMin);
  return share.hint * hinted + (share.usual * usual) / usualRates.length + share.any * any;
}

/** A rate is seen from below: about this share of it is lost between requests. */
const lostShare = 1.1;

/**
 * The likeliest rate, requests per ms, between two: the one that is expected, else the usual one nearest the middle, or
 * nearest what surely passes where hardly anything bounds it from above.
 */
export function likeliestRate(low: number, high: number, { limit, windowMs }: Hints): number {
  const holds = (rate: number): boolean => mayBeRate(rate, low, high);
  if (limit !== undefined && windowMs !== undefined && holds(limit / windowMs)) return limit / windowMs;
  const least = Math.max(low, rateMin);
  const middle = Math.min(2 / (1 / least + 1 / Math.min(high, rateMax)), lostShare * least);
  const away = (rate: number): number => Math.abs(Math.log(rate / middle));
  const usual = usualRates.map((rate) => rate / 1_000).filter(holds);
  if (usual.length > 0) return usual.reduce((best, rate) => (away(rate) < away(best) ? rate : best));
  const gapMs = roundGapMs({ lowMs: 1 / Math.min(high, rateMax), highMs: 1 / least }, 1 / middle);
  return gapMs === null ? middle : 1 / gapMs;
}

/** Gaps between two requests that are rounder than others, ms: multiples of the first of these that has one in a span. */
const roundGapsMs = [60_000, 10_000, 5_000, 1_000, 500, 250, 100, 50] as const;

/** The roundest gap in a span, the one nearest its middle; `null` where none is round. */
function roundGapMs({ lowMs, highMs }: Span, middleMs: number): number | null {
  const roundMs = roundGapsMs.find((ms) => Math.ceil(lowMs / ms) * ms <= highMs);
  if (roundMs === undefined) return null;
  const nearest = Math.max(Math.ceil(lowMs / roundMs), Math.round(middleMs / roundMs));
  return roundMs * Math.min(nearest, Math.floor(highMs / roundMs));
}

/** Rates beyond these, requests per ms, nobody sets. */
const rateMin = 1e-7;
const rateMax = 10;

/** Whether a rate by the service's clock may lie between two that were measured by ours. */
function mayBeRate(rate: number, low: number, high: number): boolean {
  return rate * (1 + bounds.clockRate) >= low && rate * (1 - bounds.clockRate) <= high;
}

/** Harmonic sum of the multiples of a unit within a span by our clock: 1 for the unit itself, ½ for twice the unit. */
function multiplesWithin({ lowMs, highMs }: Span, unitMs: number): number {
  const from = Math.max(1, Math.ceil((lowMs * (1 - bounds.clockRate) - bounds.clockResolutionMs) / unitMs));
  const to = Math.floor((highMs * (1 + bounds.clockRate) + bounds.clockResolutionMs) / unitMs);
  const last = Math.min((1_000 * wholeSecondsMax) / unitMs, to);
  return last - from < 20 ? sumOfInverses(from, last) : Math.log(last / from);
}

function sumOfInverses(from: number, to: number): number {
  let sum = 0;
  for (let one = from; one <= to; one += 1) sum += 1 / one;
  return sum;
}
