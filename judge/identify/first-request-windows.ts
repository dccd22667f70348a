import { countsBelow } from '../intervals.ts';
import { once } from '../once.ts';
import type { Span } from './fit.ts';
import { certainIn, type Observations, unbroken } from './observations.ts';

/**
 * A window that may have been: it began within a span. Everything sent from `ownFromMs` on is surely not of an earlier
 * one. `next` holds the places of those that may have followed it, all of them later in the list.
 */
export type Window = Span & { ownFromMs: number; readonly next: number[] };

/** What may begin a window and what bounds when it began, prepared once for all lengths. */
export type Starts = {
  /** When one of the requests that may have counted was on its way: at any moment of one of these spans, ascending and apart. */
  readonly spans: readonly Span[];
  /** How many of them were over before a moment. */
  readonly overBefore: (ms: number) => number;
  /** How many of all requests were sent before a moment. */
  readonly sentBefore: (ms: number) => number;
  /**
   * The earliest end of all requests from one on, in the order of sending, that show a window to be there: what was admitted
   * or refused for the limit. Of another one it is not known that it counted.
   */
  readonly highLeast: Float64Array;
  /** When the last answer had come: of a window that began later nothing was seen. */
  readonly endMs: number;
};

export const startsOf = once(({ count, low, high, isLimited, isAdmitted, endMs }: Observations): Starts => {
  const spans = unbroken({ low, high }, 0, (at) => isLimited[at] !== true);
  const highLeast = high.map((ms, at) =>
    isAdmitted[at] === true || isLimited[at] === true ? ms : Number.POSITIVE_INFINITY,
  );
  for (let at = count - 2; at >= 0; at -= 1) {
    highLeast[at] = Math.min(highLeast[at] as number, highLeast[at + 1] as number);
  }
  return {
    spans,
    overBefore: countsBelow(Float64Array.from(spans, ({ highMs }) => highMs)),
    sentBefore: countsBelow(low),
    highLeast,
    endMs,
  };
});

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
  // Ascending and apart from `head` on; what lies before it is in `windows`.
  const waiting: Reached[] = [];
  const first = { ownFromMs: Number.NEGATIVE_INFINITY, from: [] };
  if (firstEnd === null)
    reachAll(starts, { lowMs: Number.NEGATIVE_INFINITY, highMs: firstMs, ...first }, { waiting, head: 0 });
  else
    waiting.push({
      lowMs: firstEnd.lowMs - windowMs,
      highMs: Math.min(firstMs, firstEnd.highMs - windowMs),
      ...first,
    });
  for (let head = 0; head < waiting.length; head += 1) {
    const at = windows.length;
    if (at >= windowsMax) return null;
    const { lowMs, highMs, ownFromMs, from } = waiting[head] as Reached;
    for (const place of from) follow(windows[place] as Window, at);
    windows.push({ lowMs, highMs, ownFromMs, next: [] });
    const endHighMs = highMs + windowMs;
    const untilMs = earliestAnswerFrom(starts, endHighMs);
    const after = { lowMs: lowMs + windowMs, highMs: untilMs, ownFromMs: endHighMs, from: [at] };
    reachAll(starts, after, { waiting, head: head + 1 });
  }
  return windows;
}

/** `from`: the places of the windows that it may have followed; none where it is the first. */
type Reached = { readonly lowMs: number; highMs: number; ownFromMs: number; readonly from: number[] };

/** Notes once that a window may have been followed by the one at a place. */
function follow({ next }: Window, at: number): void {
  if (next.at(-1) !== at) next.push(at);
}

/**
 * Puts a span in its place from `head` on, or makes it one with the one that it overlaps: between them there is no moment at
 * which no window can have begun. It is one at most, and begins no later: the request that made the span lies in that one too, as
 * far as the window before could be followed by it. What is reached later mostly begins later.
 */
function reach(waiting: Reached[], head: number, span: Reached): void {
  let at = waiting.length;
  while (at > head && (waiting[at - 1] as Reached).lowMs > span.highMs) at -= 1;
  const before = at > head ? (waiting[at - 1] as Reached) : null;
  if (before === null || before.highMs < span.lowMs) {
    waiting.splice(at, 0, span);
    return;
  }
  before.highMs = Math.max(before.highMs, span.highMs);
  before.ownFromMs = span.ownFromMs;
  before.from.push(...span.from);
}

/** When something that was sent at or after a moment had been decided: by then a window had begun after it, if any did. */
function earliestAnswerFrom({ sentBefore, highLeast, endMs }: Starts, ms: number): number {
  return Math.min(highLeast[sentBefore(ms)] ?? endMs, endMs);
}

type Waiting = { readonly waiting: Reached[]; readonly head: number };

/** Reaches each part of a span in which a request may have been decided that counts. */
function reachAll({ spans, overBefore }: Starts, span: Reached, { waiting, head }: Waiting): void {
  for (let at = overBefore(span.lowMs); at < spans.length; at += 1) {
    const part = spans[at] as Span;
    const lowMs = Math.max(span.lowMs, part.lowMs);
    const highMs = Math.min(span.highMs, part.highMs);
    if (highMs < lowMs) return;
    reach(waiting, head, { lowMs, highMs, ownFromMs: span.ownFromMs, from: [...span.from] });
  }
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
