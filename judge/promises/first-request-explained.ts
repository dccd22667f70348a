import { fullest, startsByAdmissions, type Window, windowsOf } from '../identify/first-request-windows.ts';
import { countBelow, countUpTo } from '../intervals.ts';
import {
  explainsBy,
  firstEnds,
  heldMs,
  mayBeAnyWindows,
  observed,
  type Seen,
  tooFullBy,
} from './first-request.ts';
import { fillingIn } from './in-units.ts';
import type { Explainer, Promised } from './prover.ts';

/**
 * Each that came in a window that may have been full: one of those that may have followed each other, whenever the first one
 * ended, none of them too full.
 */
export const explainedByFirstRequest: Explainer = (promised) => {
  const { group, refusals } = promised;
  const { limit, windowMs } = group;
  if (mayBeAnyWindows(group)) return refusals;
  const seen = observed(promised);
  const starts = startsByAdmissions(seen);
  const explains = explainsBy({ seen, explaining: seen, fills: fillingIn(group) }, { limit, windowMs });
  let open = placesOf(promised, seen);
  for (const firstEnd of firstEnds(seen, windowMs)) {
    if (open.length === 0) break;
    const found = windowsOf(starts, windowMs, firstEnd);
    if (found === null) return refusals;
    if (fullest(seen, found, windowMs) > limit) continue;
    const near = nearby(open, seen);
    const explained = new Set<number>();
    const windows = found.windows();
    for (const place of possibleOf(windows, tooFullBy(seen, { limit, windowMs }))) {
      const window = windows[place] as Window;
      const isFromBefore = place === 0 && firstEnd !== null;
      for (const at of near(window.lowMs, window.highMs + heldMs(windowMs)))
        if (explains(window, at, isFromBefore)) explained.add(at);
    }
    open = open.filter((at) => !explained.has(at));
  }
  const unexplained = new Set(open.map((at) => seen.entryAt[at]?.exchange.requestId));
  return refusals.filter(({ exchange }) => !unexplained.has(exchange.requestId));
};

/** Where the refusals that are asked about stand, each once, in the order of sending. */
function placesOf({ refusals }: Promised, { entryAt }: Seen): readonly number[] {
  const asked = new Set(refusals.map(({ exchange }) => exchange.requestId));
  return [...entryAt.keys()].filter((at) => {
    const { exchange, isAgain } = entryAt[at] as Seen['entryAt'][number];
    return isAgain !== true && asked.delete(exchange.requestId);
  });
}

/** Those of ascending places whose intervals may overlap a span; some that do not may be among them. */
function nearby(
  places: readonly number[],
  { low, high }: Seen,
): (fromMs: number, untilMs: number) => readonly number[] {
  const lows = Float64Array.from(places, (at) => low[at] as number);
  let latestMs = Number.NEGATIVE_INFINITY;
  const latest = Float64Array.from(places, (at) => {
    latestMs = Math.max(latestMs, high[at] as number);
    return latestMs;
  });
  return (fromMs, untilMs) => places.slice(countBelow(latest, fromMs), countUpTo(lows, untilMs));
}

/** The places of the windows that none that is too full came before, themselves not so either, ascending. */
function possibleOf(windows: readonly Window[], isTooFull: (window: Window) => boolean): readonly number[] {
  const isReached = windows.map((_, place) => place === 0);
  return windows.flatMap((window, place) => {
    if (isReached[place] !== true || isTooFull(window)) return [];
    for (const next of window.next) isReached[next] = true;
    return [place];
  });
}
