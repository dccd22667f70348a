import { fullest, startsByAdmissions, type Window, windowsOf } from '../identify/first-request-windows.ts';
import {
  explainsBy,
  firstEnds,
  heldMs,
  mayBeAnyWindows,
  mayBeFromBefore,
  nearby,
  observed,
  type Seen,
  tooFullBy,
} from './first-request-seen.ts';
import { explainedInPieces } from './in-pieces.ts';
import { fillingIn } from './in-units.ts';
import type { Explainer, Promised } from './prover.ts';

/**
 * Each that came in a window that may have been full: one of those that may have followed each other, whenever the first one
 * ended, none of them too full.
 */
export const explainedByFirstRequest: Explainer = explainedInPieces((promised) => {
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
    const isFromBefore = mayBeFromBefore(firstEnd, seen, windowMs);
    const explained = new Set<number>();
    const windows = found.windows();
    for (const place of possibleOf(windows, tooFullBy(seen, { limit, windowMs }))) {
      const window = windows[place] as Window;
      const asked = near(window.lowMs, window.highMs + heldMs(windowMs));
      for (const at of asked.filter(explains(window, place === 0 && isFromBefore))) explained.add(at);
    }
    open = open.filter((at) => !explained.has(at));
  }
  const unexplained = new Set(open.map((at) => seen.entryAt[at]?.exchange.requestId));
  return refusals.filter(({ exchange }) => !unexplained.has(exchange.requestId));
});

/** Where the refusals that are asked about stand, in the order of sending; more than once where they cost more than 1. */
function placesOf({ refusals }: Promised, { entryAt }: Seen): readonly number[] {
  const asked = new Set(refusals.map(({ exchange }) => exchange.requestId));
  return [...entryAt.keys()].filter((at) => asked.has(entryAt[at]?.exchange.requestId ?? ''));
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
