import { bounds } from '../../contract/bounds.ts';
import { costOf } from '../../contract/document/cost.ts';
import { countBelow, countUpTo } from '../counting.ts';
import type { Entry, Group } from '../entries.ts';
import { fullest, startsByAdmissions, type Window, windowsOf } from '../identify/first-request-windows.ts';
import type { Span } from '../identify/fit.ts';
import { certainIn, type Observations, observe } from '../identify/observations.ts';
import { serviceTimeFrom } from '../service-time.ts';
import type { PromisedGroup } from './prover.ts';

/** Where nothing was sent; or at any time, before the run too: that may have begun any window, or been refused in one of those. */
export function mayBeAnyWindows({ explaining }: Group): boolean {
  return explaining.length === 0 || explaining.some(({ lowMs }) => lowMs === Number.NEGATIVE_INFINITY);
}

export type EntryObservations = Observations & { readonly entryAt: readonly Entry[] };

/** The requests as the service's clock may have timed them, in the order in which they were sent. */
export function observed({ group, begunMs }: PromisedGroup): EntryObservations {
  const time = serviceTimeFrom(begunMs);
  const entryAt = [...group.explaining];
  const seen = observe(
    entryAt.map(({ exchange, lowMs, highMs }) => ({
      sentMs: time.earliest(lowMs),
      receivedMs: Number.isFinite(highMs) ? time.latest(highMs) : null,
      outcome: exchange.outcome,
    })),
  );
  return { ...seen, entryAt };
}

/** What is promised of each window. */
type Kept = Pick<Group, 'limit' | 'windowMs'>;

/** The windows that there may have been, if the first one ended at some moment. */
export type Guess = {
  readonly windows: readonly Window[];
  /** Whoever used the key before the run may have filled the first one. */
  readonly isFromBefore: boolean;
};

/**
 * Whenever the first window ended, the windows that there may have been then: `too-much` where some window admitted more than
 * it may, whichever followed each other; `too-many` where they are more than are looked at.
 */
export function* guessesOf(
  seen: EntryObservations,
  { limit, windowMs }: Kept,
): Generator<Guess | 'too-much' | 'too-many'> {
  const starts = startsByAdmissions(seen);
  for (const firstEnd of firstEnds(seen, windowMs)) {
    const found = windowsOf(starts, windowMs, firstEnd);
    if (found === null) yield 'too-many';
    else if (fullest(seen, found, windowMs) > limit) yield 'too-much';
    else yield { windows: found.windows(), isFromBefore: mayBeFromBefore(firstEnd, seen, windowMs) };
  }
}

/**
 * When a window from before the first request may have ended: `null` where there was none; else in one of these spans. Such a
 * span also stands for windows before which the first requests did not count.
 */
function firstEnds(
  { rows, low, high, refusals, isLimited, originMs }: EntryObservations,
  windowMs: number,
): readonly (Span | null)[] {
  const firstMs = low[0] as number;
  const untilMs = windowMs + Math.max(firstMs, beginOf({ originMs }));
  // Within a burst too it matters before which of its requests the window ended.
  const each = [...low.keys()].filter((at) => isLimited[at] !== true);
  const counted = each.length > looseFrom ? rows : each.map((at) => spanAt({ low, high }, at));
  const asked = refusals.map((at) => spanAt({ low, high }, at));
  const ends = [...counted, ...asked].flatMap(({ lowMs, highMs }) => [lowMs, highMs]);
  const edges = [...new Set([firstMs, ...ends, untilMs])]
    .filter((ms) => ms <= untilMs)
    .sort((left, right) => left - right);
  return [null, ...edges.slice(1).map((highMs, at) => ({ lowMs: edges[at] as number, highMs }))];
}

/** The latest at which the run, or a piece of it, may have begun: 0 by the service's clock. */
function beginOf({ originMs }: Pick<EntryObservations, 'originMs'>): number {
  return -originMs;
}

/** Whether a window that ended then may be from before the run: whoever used the key may have filled it. */
function mayBeFromBefore(firstEnd: Span | null, seen: EntryObservations, windowMs: number): boolean {
  return firstEnd !== null && firstEnd.lowMs <= beginOf(seen) + windowMs;
}

/** Of more requests than these whole bursts are looked at alone. */
const looseFrom = 3_000;

function spanAt({ low, high }: Pick<EntryObservations, 'low' | 'high'>, at: number): Span {
  return { lowMs: low[at] as number, highMs: high[at] as number };
}

/** Whether more was surely admitted in a window than may be. */
export function tooFullBy(
  { admissions }: EntryObservations,
  { limit, windowMs }: Kept,
): (window: Window) => boolean {
  return ({ lowMs, ownFromMs }) => certainIn(admissions, ownFromMs, lowMs + windowMs) > limit;
}

/** Who asks about refusals: how the requests were timed, and which of them may fill a window. */
export type Explaining = {
  readonly seen: EntryObservations;
  /** The same with all that may fill a window. */
  readonly explaining: Observations;
  readonly fills: (entry: Entry) => boolean;
};

/** Those of some refusals, by their places, that came in a window which may have been full by then. */
export function explainedBy(
  { seen, explaining, fills }: Explaining,
  { limit, windowMs }: Kept,
  refusals: readonly number[],
): (guess: Guess, place: number) => readonly number[] {
  const { admissions, sentBy } = explaining;
  const near = nearby(refusals, seen);
  return ({ windows, isFromBefore }, place) => {
    const { lowMs, highMs } = windows[place] as Window;
    const untilMs = highMs + heldMs(windowMs);
    const asked = near(lowMs, untilMs);
    if (place === 0 && isFromBefore) return asked;
    const sentUntil = countUpTo(admissions.possibleLow, untilMs);
    const endedBefore = admissions.endedBefore(lowMs);
    return asked.filter((at) => {
      const refusal = seen.entryAt[at] as Entry;
      const cost = costOf(refusal.exchange);
      const itself = fills(refusal) ? cost : 0;
      return Math.min(sentUntil, sentBy[at] as number) - itself - endedBefore > limit - cost;
    });
  };
}

/** How long after its beginning a window may still refuse, ms. */
export function heldMs(windowMs: number): number {
  return windowMs + bounds.granularityMs;
}

/** Those of ascending places whose intervals overlap a span. */
function nearby(
  places: readonly number[],
  { low, high }: EntryObservations,
): (fromMs: number, untilMs: number) => readonly number[] {
  const lows = Float64Array.from(places, (at) => low[at] as number);
  let latestMs = Number.NEGATIVE_INFINITY;
  const latest = Float64Array.from(places, (at) => {
    latestMs = Math.max(latestMs, high[at] as number);
    return latestMs;
  });
  return (fromMs, untilMs) =>
    places
      .slice(countBelow(latest, fromMs), countUpTo(lows, untilMs))
      .filter((at) => (high[at] as number) >= fromMs);
}
