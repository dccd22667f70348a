import type { Entry } from '../entries.ts';
import { countingThose } from '../identify/observations.ts';
import { reachedOf } from './first-request-rows.ts';
import {
  type EntryObservations,
  explainedBy,
  guessesOf,
  mayBeAnyWindows,
  observed,
  tooFullBy,
} from './first-request-seen.ts';
import { explainedInPieces } from './in-pieces.ts';
import { fillingIn } from './in-units.ts';
import type { Explainer, PromisedGroup } from './prover.ts';

/**
 * Each that came in a window that may have been full: one of those that may have followed each other, whenever the first one
 * ended, none of them too full.
 */
export const explainedByFirstRequest: Explainer = explainedInPieces((promised) => {
  const { group, refusals } = promised;
  if (mayBeAnyWindows(group)) return refusals;
  const seen = observed(promised);
  const fills = fillingIn(group);
  // Refusals of other scopes may stand beside those that are asked about, and fill a window as any may.
  const filling = countingThose(seen, (at) => fills(seen.entryAt[at] as Entry));
  const explaining = { seen, explaining: filling, fills };
  let open = placesOf(promised, seen);
  for (const guess of guessesOf(seen, group)) {
    if (guess === 'too-many') return refusals;
    if (guess === 'too-much') continue;
    const explained = explainedBy(explaining, group, open);
    const places = reachedOf(guess.windows, tooFullBy(seen, group));
    const some = new Set(places.flatMap((place) => explained(guess, place)));
    open = open.filter((at) => !some.has(at));
    if (open.length === 0) break;
  }
  const unexplained = new Set(open.map((at) => seen.entryAt[at]?.exchange.requestId));
  return refusals.filter(({ exchange }) => !unexplained.has(exchange.requestId));
});

/** Where the refusals that are asked about stand, in the order of sending; more than once where they cost more than 1. */
function placesOf({ refusals }: PromisedGroup, { entryAt }: EntryObservations): readonly number[] {
  const asked = new Set(refusals.map(({ exchange }) => exchange.requestId));
  return [...entryAt.keys()].filter((at) => asked.has(entryAt[at]?.exchange.requestId ?? ''));
}
