import type { Fit, Hints, Span } from './fit.ts';
import { middle } from './grid-search.ts';
import { below, type Observations, possibleIn } from './observations.ts';
import { likeliestMs, limitPlausibility, windowPlausibility } from './plausibility.ts';

/** Parts of a span of lengths that are looked at more closely. */
const parts = 16;

const shortestMs = 150;
const longestMs = 7_200_000;

/** A window that begins with the first request after the last one had ended. */
export function fitFirstRequest(seen: Observations, hints: Hints): Fit {
  const starts = startsOf(seen);
  const ask = (windowMs: number, giveUpAt: number) => explain(seen, starts, { windowMs, giveUpAt });
  const coarse = leastContradicted(lengthsFromStart(seen), ask);
  const closer = leastContradicted(coarse.spans.flatMap(divided), ask);
  const spans = joined(closer.spans);
  const weighed = spans.map((span) => ({ span, weight: windowPlausibility(span, hints) }));
  const best = weighed.reduce((left, right) => (right.weight > left.weight ? right : left));
  const lengthMs = likeliestMs(best.span, hints);
  const { limit, contradictedBy } = ask(lengthMs, Number.POSITIVE_INFINITY);
  const plausibility = weighed.reduce((sum, { weight }) => sum + weight, 0) * limitPlausibility(limit, hints);
  const algorithm = 'fixed-window-first-request';
  return { algorithm, limit, window: best.span, lengthMs, contradictedBy, plausibility };
}

type Explained = { readonly limit: number; readonly contradictedBy: readonly number[] };
type Ask = (windowMs: number, giveUpAt: number) => Explained;

function leastContradicted(spans: readonly Span[], ask: Ask) {
  let fewest = Number.POSITIVE_INFINITY;
  let best: Span[] = [];
  for (const span of spans) {
    const count = ask(middle(span), fewest).contradictedBy.length;
    if (count > fewest) continue;
    if (count < fewest) best = [];
    fewest = count;
    best.push(span);
  }
  return { fewest, spans: best };
}

/** Between two neighbouring edges the first window's end is on the same side of every other request. */
function lengthsFromStart({ rows, refusals, high, low }: Observations): readonly Span[] {
  const starts = [low[0] as number, high[0] as number].filter(Number.isFinite);
  const refused = refusals.flatMap((at) => [low[at] as number, high[at] as number]);
  const edges = [...rows.flatMap(({ lowMs, highMs }) => [lowMs, highMs]), ...refused];
  const critical = edges
    .flatMap((ms) => starts.map((startMs) => ms - startMs))
    .filter((ms) => ms > shortestMs && ms < longestMs)
    .sort((left, right) => left - right);
  const ends = [shortestMs, ...critical, longestMs];
  return ends
    .slice(1)
    .map((highMs, at) => ({ lowMs: ends[at] as number, highMs }))
    .filter(({ lowMs, highMs }) => highMs - lowMs > 1);
}

function divided({ lowMs, highMs }: Span): readonly Span[] {
  const stepMs = (highMs - lowMs) / parts;
  return Array.from({ length: parts }, (_, at) => ({
    lowMs: lowMs + at * stepMs,
    highMs: lowMs + (at + 1) * stepMs,
  }));
}

/** Spans that touch each other as one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const span of [...spans].sort((left, right) => left.lowMs - right.lowMs)) {
    const last = all.at(-1);
    if (last === undefined || span.lowMs > last.highMs + 2) all.push(span);
    else all[all.length - 1] = { lowMs: last.lowMs, highMs: span.highMs };
  }
  return all;
}

/** What may begin a window: anything but a refusal. In the order of sending. */
type Starts = {
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** The latest end so far, which never falls. */
  readonly highMost: Float64Array;
};

function startsOf({ count, low, high, isLimited }: Observations): Starts {
  const at = Array.from({ length: count }, (_, position) => position).filter(
    (position) => isLimited[position] !== true,
  );
  let most = Number.NEGATIVE_INFINITY;
  const highs = Float64Array.from(at, (position) => high[position] as number);
  return {
    low: Float64Array.from(at, (position) => low[position] as number),
    high: highs,
    highMost: highs.map((ms) => {
      most = Math.max(most, ms);
      return most;
    }),
  };
}

/** Windows of a trace, at most. */
const windowsMax = 300;

/** A window that began within a span; everything sent from `ownFromMs` on is surely not of an earlier one. */
type Window = { readonly startLowMs: number; readonly startHighMs: number; readonly ownFromMs: number };

type Question = { readonly windowMs: number; readonly giveUpAt: number };

function explain(seen: Observations, starts: Starts, { windowMs, giveUpAt }: Question): Explained {
  const windows = windowsOf(seen, starts, windowMs);
  const { admissions } = seen;
  const limit = windows.reduce((most, { startLowMs, ownFromMs }) => {
    const ended = below(admissions.certainHigh, startLowMs + windowMs);
    return Math.max(most, ended - below(admissions.certainLow, ownFromMs));
  }, 1);
  const contradictedBy: number[] = [];
  let from = 0;
  for (const at of seen.refusals) {
    const low = seen.low[at] as number;
    const high = seen.high[at] as number;
    while (from + 1 < windows.length && (windows[from] as Window).startHighMs + windowMs < low) from += 1;
    let most = 0;
    for (let later = from; later < windows.length; later += 1) {
      const { startLowMs, startHighMs } = windows[later] as Window;
      if (startLowMs > high) break;
      if (startHighMs + windowMs < low) continue;
      most = Math.max(most, possibleIn(admissions, startLowMs, Math.min(high, startHighMs + windowMs)));
    }
    if (most < limit) contradictedBy.push(at);
    if (contradictedBy.length > giveUpAt) break;
  }
  return { limit, contradictedBy };
}

/** Whatever comes first after the end of a window begins the next, and is admitted. */
function windowsOf({ low, high }: Observations, starts: Starts, windowMs: number): readonly Window[] {
  let last: Window = {
    startLowMs: low[0] as number,
    startHighMs: high[0] as number,
    ownFromMs: Number.NEGATIVE_INFINITY,
  };
  const windows = [last];
  while (windows.length < windowsMax) {
    const endLowMs = last.startLowMs + windowMs;
    const endHighMs = last.startHighMs + windowMs;
    const mayBe = below(starts.highMost, endLowMs);
    if (mayBe >= starts.low.length) break;
    const startLowMs = Math.max(endLowMs, starts.low[mayBe] as number);
    const startHighMs = latestStart(starts, { mayBe, endHighMs, windowMs });
    last = { startLowMs, startHighMs: Math.max(startLowMs, startHighMs), ownFromMs: endHighMs };
    windows.push(last);
    if (!Number.isFinite(last.startHighMs)) break;
  }
  return windows;
}

type End = { readonly mayBe: number; readonly endHighMs: number; readonly windowMs: number };

/**
 * The latest moment at which a window begins that follows another. Where some requests may or may not have come after its
 * end, they begin one; unless the next that surely did is near, for then it may have been that one.
 */
function latestStart(starts: Starts, { mayBe, endHighMs, windowMs }: End): number {
  const next = firstAnsweredFrom(starts, endHighMs);
  const surelyAfter = below(starts.low, endHighMs);
  if (surelyAfter <= mayBe) return next ?? (starts.high[mayBe] as number);
  const mayBeUntilMs = starts.highMost[surelyAfter - 1] as number;
  const nextLowMs = starts.low[surelyAfter];
  return next !== null && nextLowMs !== undefined && nextLowMs <= mayBeUntilMs + windowMs
    ? next
    : mayBeUntilMs;
}

/** Of the requests sent at or after a moment, when the first was answered; `null` where there is none. */
function firstAnsweredFrom({ low, high }: Starts, ms: number): number | null {
  let best = Number.POSITIVE_INFINITY;
  for (let at = below(low, ms); at < low.length && (low[at] as number) <= best; at += 1) {
    best = Math.min(best, high[at] as number);
  }
  return Number.isFinite(best) ? best : null;
}
