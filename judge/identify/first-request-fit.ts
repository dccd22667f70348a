import { once } from '../../contract/once.ts';
import { countUpTo } from '../counting.ts';
import {
  fullest,
  type Starts,
  startsOf,
  type WindowColumns,
  windowsMax,
  windowsOf,
} from './first-request-windows.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { alignedLengthsMs } from './grid.ts';
import { middle } from './grid-search.ts';
import type { Observations } from './observations.ts';
import { likeliestMs, limitPlausibility, windowPlausibility } from './plausibility.ts';
import { returnsOf } from './returns.ts';
import { cutOut, divided, isWide, joined } from './spans.ts';
import { contradicting } from './telling-first.ts';

const shortestMs = 150;
const longestMs = 7_200_000;

/** How usual it is that the first window begins before the first request. */
const begunPrior = 0.002;

/**
 * More than such windows can be plausible: a limit is at most by a half, and lengths together hardly by more than 1, though one
 * at the edge of several spans counts in each.
 */
const begunMost = 25 * begunPrior;

/** Nearly anything is explained by some first window of a length that nobody sets: less plausible ones are no explanation. */
const begunLeast = 1e-5;

/**
 * Windows that begin with a request, in both ways. Of one class the likelier is named: where the first way explains the trace
 * more plausibly than the second ever does, that is not looked for.
 */
export function fitFirstRequests(seen: Observations, hints: Hints): readonly Fit[] {
  const fit = fitFirstRequest(seen, hints);
  const isLikelier = fit.contradictedBy.length === 0 && fit.plausibility > begunMost;
  return isLikelier ? [fit] : [fit, ...fitBegunBefore(seen, hints)];
}

/**
 * Windows of which the first began before the first request, when the service made the counter, and each other one with a
 * request. The first one ended where what it held came back, or before the first burst.
 */
export function fitBegunBefore(seen: Observations, hints: Hints): readonly Fit[] {
  const [back] = returnsOf(seen);
  const [, burst] = seen.rows;
  const untilBurst = burst === undefined ? [] : [{ lowMs: seen.low[0] as number, highMs: burst.lowMs }];
  return [...untilBurst, ...(back === undefined ? [] : [back])]
    .map((firstEnd) => fitWindows(seen, hints, firstEnd))
    .filter(({ plausibility }) => plausibility >= begunLeast)
    .map((fit) => ({ ...fit, plausibility: begunPrior * fit.plausibility }));
}

/** A window that begins with the first request after the last one had ended. */
export function fitFirstRequest(seen: Observations, hints: Hints): Fit {
  return fitWindows(seen, hints, null);
}

function fitWindows(seen: Observations, hints: Hints, firstEnd: Span | null): Fit {
  const starts = startsOf(seen);
  const ask = (windowMs: number, giveUpAt: number) =>
    explain(seen, starts, { windowMs: windowMs - seen.openEndMs, giveUpAt, firstEnd });
  const usual = alignedLengthsMs(hints).map((ms): Span => ({ lowMs: ms, highMs: ms }));
  const coarse = leastContradicted(usualAndBetween(usual, edgesFromStart(seen)), ask, contradictionsMax);
  const parts = [...usual, ...coarse.spans.filter(isWide).flatMap(divided)];
  const near = leastContradicted(parts, ask, contradictionsMax);
  const closer = near.spans.length > 0 ? near : leastContradicted(usual, ask, Number.POSITIVE_INFINITY);
  const refuted = usual.filter((span) => !closer.spans.includes(span));
  const spans = refuted.reduce(cutOut, joined(closer.spans));
  const weighed = spans.map((span) => ({ span, weight: windowPlausibility(span, hints) }));
  const best = weighed.reduce((left, right) => (right.weight > left.weight ? right : left));
  const likeliest = likeliestMs(best.span, hints);
  // It is one that was not looked at where nobody sets the span's lengths: a whole second at its very edge explains less.
  const isWorse = ask(likeliest, closer.fewest).contradictedBy.length > closer.fewest;
  const lengthMs = isWorse ? middle(best.span) : likeliest;
  const { limit, contradictedBy } = ask(lengthMs, Number.POSITIVE_INFINITY);
  // A window of one is a gap, and is named so.
  const usualLimit = limit < 2 ? 0 : limitPlausibility(limit, hints);
  const plausibility = usualLimit * weighed.reduce((sum, { weight }) => sum + weight, 0);
  const algorithm = 'fixed-window-first-request';
  return { algorithm, limit, window: best.span, lengthMs, contradictedBy, plausibility };
}

type Explained = { readonly limit: number; readonly contradictedBy: readonly number[] };
type Ask = (windowMs: number, giveUpAt: number) => Explained;

/** An explanation with more contradictions than this is given up. */
const contradictionsMax = 6;

function leastContradicted(spans: Iterable<Span>, ask: Ask, giveUpAt: number) {
  let fewest = giveUpAt;
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

/** The usual lengths, and those between two neighbouring edges, one after another: in a long trace there are very many. */
function* usualAndBetween(usual: readonly Span[], edges: Float64Array): Generator<Span> {
  yield* usual;
  for (let at = 1; at < edges.length; at += 1) {
    const [lowMs, highMs] = [edges[at - 1] as number, edges[at] as number];
    if (highMs - lowMs > 1) yield { lowMs, highMs };
  }
}

/**
 * Lengths in ascending order: between two neighbours the first window's end is on the same side of every other request, and so a
 * later one's.
 */
const edgesFromStart = once((seen: Observations): Float64Array => {
  const { rows, refusals, high, low } = seen;
  const starts = [low[0] as number, high[0] as number].filter(Number.isFinite);
  const limited = refusals.flatMap((at) => [low[at] as number, high[at] as number]);
  const edges = [...rows.flatMap(({ lowMs, highMs }) => [lowMs, highMs]), ...limited];
  const critical = [...edges.flatMap((ms) => starts.map((startMs) => ms - startMs)), ...laterLengths(seen)];
  const within = critical.filter((ms) => ms > shortestMs && ms < longestMs);
  return Float64Array.from([shortestMs, ...within, longestMs]).sort();
});

/** Capacity that came back later began a window too: from its first admission to the edges of the next return. */
function laterLengths(seen: Observations): readonly number[] {
  const returns = returnsOf(seen).slice(0, returnsMax);
  return returns.flatMap((from, at) => {
    // What was admitted then lies in a row.
    const row = seen.rows.find(({ highMs }) => highMs >= from.highMs) as Span;
    const starts = [row.lowMs, from.highMs];
    return returns
      .slice(at + 1)
      .flatMap((to) => starts.flatMap((startMs) => [to.lowMs - startMs, to.highMs - startMs]));
  });
}

/** Where capacity came back more often than this, the first few times show as much. */
const returnsMax = 5;

type Question = {
  readonly windowMs: number;
  readonly giveUpAt: number;
  readonly firstEnd: Span | null;
};

function explain(seen: Observations, starts: Starts, { windowMs, giveUpAt, firstEnd }: Question): Explained {
  // A window that began later than its first request did not begin before it.
  const isLate = firstEnd !== null && firstEnd.lowMs - windowMs > (seen.high[0] as number);
  const windows = isLate ? null : windowsOf(starts, windowMs, firstEnd);
  if (windows === null) return { limit: 1, contradictedBy: seen.refusals };
  const limit = Math.max(1, fullest(seen, windows, windowMs));
  sentUntilEnd.fill(notCounted, 0, windows.count);
  const asked = { windows, windowMs, limit };
  const isContradicted = (at: number): boolean => !mayHaveBeenFull(seen, asked, at);
  return { limit, contradictedBy: contradicting(seen.refusals, { isContradicted, giveUpAt }) };
}

type Windows = { readonly windows: WindowColumns; readonly windowMs: number; readonly limit: number };

/** Whether a refused request may have met a window that held the limit. */
function mayHaveBeenFull(seen: Observations, { windows, windowMs, limit }: Windows, at: number): boolean {
  const { admissions } = seen;
  const low = seen.low[at] as number;
  const high = seen.high[at] as number;
  const sentBy = seen.sentBy[at] as number;
  for (let place = firstNotOver(windows, windowMs, low); place < windows.count; place += 1) {
    const lowMs = windows.low[place] as number;
    if (lowMs > high) return false;
    if (sentUntilEnd[place] === notCounted)
      sentUntilEnd[place] = countUpTo(admissions.possibleLow, (windows.high[place] as number) + windowMs);
    const sent = Math.min(sentUntilEnd[place] as number, sentBy);
    if (sent - admissions.endedBefore(lowMs) >= limit) return true;
  }
  return false;
}

/** By place, how many that may have counted were sent by the last moment at which a window can have ended; of one question. */
const sentUntilEnd = new Int32Array(windowsMax);
const notCounted = -1;

/** The place of the first window that was not surely over at a moment. */
function firstNotOver({ high, count }: WindowColumns, windowMs: number, ms: number): number {
  let from = 0;
  let until = count;
  while (from < until) {
    const between = (from + until) >>> 1;
    if ((high[between] as number) + windowMs < ms) from = between + 1;
    else until = between;
  }
  return from;
}
