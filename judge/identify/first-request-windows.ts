import { countBelow } from '../intervals.ts';
import type { Span } from './fit.ts';
import { certainIn, type Observations } from './observations.ts';

/**
 * A window that may have been: it began within a span. Everything sent from `ownFromMs` on is surely not of an earlier
 * one. `next` holds the places of those that may have followed it, all of them later in the list.
 */
export type Window = Span & { ownFromMs: number; readonly next: number[] };

/** What may begin a window and what bounds when it began, prepared once for all lengths. */
export type Starts = {
  /** Of requests that may have counted, in the order of sending; `highMost` is the latest end so far. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly highMost: Float64Array;
  /** Of all requests, in the order of sending; `highLeast` is the earliest end from here on. */
  readonly allLow: Float64Array;
  readonly highLeast: Float64Array;
  /** When the last answer had come: of a window that began later nothing was seen. */
  readonly endMs: number;
};

export function startsOf({ count, low, high, isLimited, endMs }: Observations): Starts {
  const counted = Array.from({ length: count }, (_, at) => at).filter((at) => isLimited[at] !== true);
  let most = Number.NEGATIVE_INFINITY;
  const highs = Float64Array.from(counted, (at) => high[at] as number);
  const highLeast = Float64Array.from(high);
  for (let at = count - 2; at >= 0; at -= 1) {
    highLeast[at] = Math.min(highLeast[at] as number, highLeast[at + 1] as number);
  }
  return {
    low: Float64Array.from(counted, (at) => low[at] as number),
    high: highs,
    highMost: highs.map((ms) => {
      most = Math.max(most, ms);
      return most;
    }),
    allLow: low,
    highLeast,
    endMs,
  };
}

/** Windows of a trace, at most. */
const windowsMax = 1_000;

/**
 * Every window that there may have been, ascending: the first begins with the first request, and each other with the first
 * request that was decided after the end of the one before it. Whether a request on its way at that end came before or
 * after it is not known, so that each may be followed by several; those that overlap are one here. `null` where there
 * may be too many. `firstEnd`: when the first one ended, if it began before the first request.
 */
export function windowsOf(
  starts: Starts,
  windowMs: number,
  firstEnd: Span | null = null,
): readonly Window[] | null {
  const firstMs = earliestAnswerFrom(starts, Number.NEGATIVE_INFINITY);
  const windows: Window[] = [];
  const first =
    firstEnd === null
      ? spansOfStarts(starts, Number.NEGATIVE_INFINITY, firstMs)
      : [{ lowMs: firstEnd.lowMs - windowMs, highMs: Math.min(firstMs, firstEnd.highMs - windowMs) }];
  const waiting: Reached[] = first.map((span) => ({
    ...span,
    ownFromMs: Number.NEGATIVE_INFINITY,
    from: [],
  }));
  while (waiting.length > 0) {
    const at = windows.length;
    if (at >= windowsMax) return null;
    const { from, ...window } = earliest(waiting);
    windows.push({ ...window, next: [] });
    for (const place of from) (windows[place] as Window).next.push(at);
    const endHighMs = window.highMs + windowMs;
    const untilMs = earliestAnswerFrom(starts, endHighMs);
    for (const span of spansOfStarts(starts, window.lowMs + windowMs, untilMs)) {
      waiting.push({ ...span, ownFromMs: endHighMs, from: [at] });
    }
  }
  return windows;
}

type Reached = Span & { readonly ownFromMs: number; readonly from: readonly number[] };

/** Takes the earliest out of those that wait, and all that overlap it with it. */
function earliest(waiting: Reached[]): Reached {
  waiting.sort((left, right) => left.lowMs - right.lowMs);
  let first = waiting.shift() as Reached;
  while (waiting.length > 0 && (waiting[0] as Reached).lowMs <= first.highMs) {
    const other = waiting.shift() as Reached;
    first = {
      lowMs: first.lowMs,
      highMs: Math.max(first.highMs, other.highMs),
      ownFromMs: Math.max(first.ownFromMs, other.ownFromMs),
      from: [...new Set([...first.from, ...other.from])],
    };
  }
  return first;
}

/** When something that was sent at or after a moment had been decided: by then a window had begun after it, if any did. */
function earliestAnswerFrom({ allLow, highLeast, endMs }: Starts, ms: number): number {
  return Math.min(highLeast[countBelow(allLow, ms)] ?? endMs, endMs);
}

/** Where, between two moments, a request may have been decided that counts. */
function spansOfStarts({ low, high, highMost }: Starts, fromMs: number, untilMs: number): readonly Span[] {
  const spans: Span[] = [];
  for (let at = countBelow(highMost, fromMs); at < low.length && (low[at] as number) <= untilMs; at += 1) {
    const lowMs = Math.max(fromMs, low[at] as number);
    const highMs = Math.min(untilMs, high[at] as number);
    if (highMs < lowMs) continue;
    const last = spans.at(-1);
    if (last === undefined || lowMs > last.highMs) spans.push({ lowMs, highMs });
    else if (highMs > last.highMs) spans[spans.length - 1] = { lowMs: last.lowMs, highMs };
  }
  return spans;
}

/**
 * The most that was surely admitted in one window, whichever of them there were: of those that may have followed each
 * other, those that show least.
 */
export function fullest({ admissions }: Observations, windows: readonly Window[], windowMs: number): number {
  const most = new Float64Array(windows.length);
  for (let at = windows.length - 1; at >= 0; at -= 1) {
    const { lowMs, ownFromMs, next } = windows[at] as Window;
    const own = certainIn(admissions, ownFromMs, lowMs + windowMs);
    const later = next.reduce(
      (least, place) => Math.min(least, most[place] as number),
      Number.POSITIVE_INFINITY,
    );
    most[at] = Math.max(own, Number.isFinite(later) ? later : 0);
  }
  return most[0] ?? 0;
}
