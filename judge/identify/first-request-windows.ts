import { once } from '../../contract/once.ts';
import { countsBelow } from '../counting.ts';
import type { Span } from './fit.ts';
import { certainIn, type Observations, unbroken } from './observations.ts';

/**
 * A window that may have been: it began within a span. Everything sent from `ownFromMs` on is surely not of an earlier
 * one. `next` holds the places of those that may have followed it, all of them later in the list.
 */
export type Window = Span & { readonly ownFromMs: number; readonly next: number[] };

/** What may begin a window and what bounds when it began, prepared once for all lengths. */
export type Starts = {
  /** When one of the requests that may have counted was on its way: at any moment of one of these spans, ascending and apart. */
  readonly spans: readonly Span[];
  /** How many of them were over before a moment. */
  readonly overBefore: (ms: number) => number;
  /** How many of all requests were sent before a moment. */
  readonly sentBefore: (ms: number) => number;
  /**
   * The earliest end of all requests from one on, in the order of sending, that show a window to be there: what was admitted,
   * or refused for the limit. Of another one it is not known that it counted.
   */
  readonly highLeast: Float64Array;
  /** When the last answer had come: of a window that began later nothing was seen. */
  readonly endMs: number;
};

export const startsOf = once((seen: Observations): Starts => {
  const { isLimited, isAdmitted } = seen;
  return startsShownBy(seen, (at) => isAdmitted[at] === true || isLimited[at] === true);
});

/** The same where a window may be held longer than it lasts: what was refused may be so by one that is over, and shows no other. */
export function startsByAdmissions(seen: Observations): Starts {
  return startsShownBy(seen, (at) => seen.isAdmitted[at] === true);
}

function startsShownBy(
  { count, low, high, isLimited, endMs }: Observations,
  isShowing: (at: number) => boolean,
): Starts {
  const spans = unbroken({ low, high }, 0, (at) => isLimited[at] !== true);
  const highLeast = high.map((ms, at) => (isShowing(at) ? ms : Number.POSITIVE_INFINITY));
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
}

/** Windows of a trace, at most. */
export const windowsMax = 1_000;

/**
 * Every window that there may have been, ascending: the first begins with the first request, and each other with the first
 * request that was decided after the end of the one before it. Whether a request on its way at that end came before or
 * after it is not known, so that each may be followed by several; those that overlap are one here. `null` where there
 * may be too many. `firstEnd`: when the first one ended, if it began before the first request. What is given holds until the
 * next question: hundreds of lengths are asked about, one after another.
 */
export function windowsOf(
  starts: Starts,
  windowMs: number,
  firstEnd: Span | null = null,
): WindowColumns | null {
  const firstMs = earliestAnswerFrom(starts, Number.NEGATIVE_INFINITY);
  found.clear();
  if (firstEnd === null) reachAll(starts, windowMs, none);
  else found.reach(firstEnd.lowMs - windowMs, Math.min(firstMs, firstEnd.highMs - windowMs), windowMs, none);
  for (let at = 0; at < found.count; at += 1) {
    if (found.count > windowsMax) return null;
    reachAll(starts, windowMs, at);
  }
  return found;
}

/** The place of the window before the first one. */
const none = -1;

/** Windows by their place, as columns: an object for each would be most of what identifying takes of memory. */
export class WindowColumns {
  /** How many there are: one more than the columns hold where there are too many. */
  count = 0;
  readonly low = new Float64Array(windowsMax);
  readonly high = new Float64Array(windowsMax);
  readonly ownFrom = new Float64Array(windowsMax);
  /** The last link of each to one that it may have followed; of each link, that one's place, and the link before it. */
  readonly lastLink = new Int32Array(windowsMax);
  linked = new Int32Array(windowsMax);
  linkBefore = new Int32Array(windowsMax);
  private links = 0;

  clear(): void {
    this.count = 0;
    this.links = 0;
  }

  /** From when on everything that is sent is surely not of one window or an earlier one; always where that is `none`. */
  ownAfter(windowMs: number, at: number): number {
    return at === none ? Number.NEGATIVE_INFINITY : (this.high[at] as number) + windowMs;
  }

  /**
   * Puts a span in its place after its origin, or makes it one with the one that it overlaps: between them there is no moment
   * at which no window can have begun. It is one at most, and begins no later: the request that made the span lies in that one
   * too, as far as the window before could be followed by it. What is reached later mostly begins later.
   */
  reach(lowMs: number, highMs: number, windowMs: number, after: number): void {
    const ownFromMs = this.ownAfter(windowMs, after);
    let at = this.count;
    while (at > after + 1 && (this.low[at - 1] as number) > highMs) at -= 1;
    if (at === after + 1 || (this.high[at - 1] as number) < lowMs) this.insert(at, lowMs);
    else at -= 1;
    this.high[at] = Math.max(this.high[at] as number, highMs);
    this.ownFrom[at] = Math.max(this.ownFrom[at] as number, ownFromMs);
    if (after !== none) this.link(at, after);
  }

  /** All of them as objects, which may be kept. */
  windows(): readonly Window[] {
    const windows = Array.from({ length: this.count }, (_, at): Window => {
      const [lowMs, highMs] = [this.low[at] as number, this.high[at] as number];
      return { lowMs, highMs, ownFromMs: this.ownFrom[at] as number, next: [] };
    });
    for (let at = 0; at < this.count; at += 1)
      for (let link = this.lastLink[at] as number; link !== none; link = this.linkBefore[link] as number)
        windows[this.linked[link] as number]?.next.push(at);
    return windows;
  }

  private link(at: number, after: number): void {
    if (this.links === this.linked.length) {
      this.linked = twiceAsLong(this.linked);
      this.linkBefore = twiceAsLong(this.linkBefore);
    }
    this.linked[this.links] = after;
    this.linkBefore[this.links] = this.lastLink[at] as number;
    this.lastLink[at] = this.links;
    this.links += 1;
  }

  private insert(at: number, lowMs: number): void {
    const { count } = this;
    if (at < count)
      for (const column of [this.low, this.high, this.ownFrom, this.lastLink])
        column.copyWithin(at + 1, at, count);
    this.low[at] = lowMs;
    this.high[at] = Number.NEGATIVE_INFINITY;
    this.ownFrom[at] = Number.NEGATIVE_INFINITY;
    this.lastLink[at] = none;
    this.count = count + 1;
  }
}

function twiceAsLong(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * list.length);
  longer.set(list);
  return longer;
}

/** What `windowsOf` gives. */
const found = new WindowColumns();

/** When something that was sent at or after a moment had been decided: by then a window had begun after it, if any did. */
function earliestAnswerFrom({ sentBefore, highLeast, endMs }: Starts, ms: number): number {
  return Math.min(highLeast[sentBefore(ms)] ?? endMs, endMs);
}

/**
 * Reaches each moment at which a request may have been decided that counts, and that began the window after another one, by its
 * place. No object is made for it: most of what identifying takes of memory would be those.
 */
function reachAll(starts: Starts, windowMs: number, after: number): void {
  const { spans, overBefore } = starts;
  const fromMs = after === none ? Number.NEGATIVE_INFINITY : (found.low[after] as number) + windowMs;
  const untilMs = earliestAnswerFrom(starts, found.ownAfter(windowMs, after));
  for (let at = overBefore(fromMs); at < spans.length; at += 1) {
    const part = spans[at] as Span;
    const lowMs = Math.max(fromMs, part.lowMs);
    const highMs = Math.min(untilMs, part.highMs);
    if (highMs < lowMs) return;
    found.reach(lowMs, highMs, windowMs, after);
  }
}

/**
 * The most that was surely admitted in one window, whichever of them there were: of those that may have followed each
 * other, those that show least.
 */
export function fullest({ admissions }: Observations, windows: WindowColumns, windowMs: number): number {
  const { count, low, ownFrom, lastLink, linked, linkBefore } = windows;
  leastAfter.fill(Number.POSITIVE_INFINITY, 0, count);
  let most = 0;
  for (let at = count - 1; at >= 0; at -= 1) {
    const own = certainIn(admissions, ownFrom[at] as number, (low[at] as number) + windowMs);
    const later = leastAfter[at] as number;
    most = Number.isFinite(later) ? Math.max(own, later) : own;
    for (let link = lastLink[at] as number; link !== none; link = linkBefore[link] as number) {
      const place = linked[link] as number;
      leastAfter[place] = Math.min(leastAfter[place] as number, most);
    }
  }
  return most;
}

/** By place, the least that those show at the fullest which may follow a window. */
const leastAfter = new Float64Array(windowsMax);
