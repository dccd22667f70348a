import { bySent, type Entry } from '../entries.ts';
import { secondsText } from '../evidence.ts';
import type { Window } from '../identify/first-request-windows.ts';
import { countingThose, decisive } from '../identify/observations.ts';
import { isOneRow, reachedOf } from './first-request-rows.ts';
import {
  type EntryObservations,
  explainedBy,
  type Guess,
  guessesOf,
  mayBeAnyWindows,
  observed,
  tooFullBy,
} from './first-request-seen.ts';
import { inPieces } from './in-pieces.ts';
import { fillingIn, limitText } from './in-units.ts';
import type { Contradiction, PromisedGroup, Prover } from './prover.ts';

/**
 * So many in each window, which begins with the first request after the one before. The first may have begun before the
 * run: then it ended at any moment of its first length. Violated where, whenever that was, some window admitted more, or a
 * 429 was in none that may have been full.
 */
export const proveFirstRequest: Prover = inPieces((promised) => {
  const { group, refusals } = promised;
  if (mayBeAnyWindows(group)) return null;
  const seen = observed(promised);
  const own = new Set(refusals.map(({ exchange }) => exchange));
  // Those of other scopes may stand between them, and are not asked about.
  const asked = seen.limited.filter((at) => own.has((seen.entryAt[at] as Entry).exchange));
  const judged = decisive(asked, seen);
  const fills = fillingIn(group);
  const explaining = countingThose(seen, (at) => fills(seen.entryAt[at] as Entry));
  const explained = explainedBy({ seen, explaining, fills }, group, judged);
  const isTooFull = tooFullBy(seen, group);
  let best: Found | null = null;
  for (const guess of guessesOf(seen, group)) {
    if (guess === 'too-many') return null;
    const found = guess === 'too-much' ? tooMuch : unexplainedIn(guess, { judged, explained, isTooFull });
    if (found === null) return null;
    best ??= found;
  }
  return best === null ? null : contradictionOf(promised, seen, best);
});

/** Too much in some window; or refusals, by their places, that no windows explain together. */
type Found = { readonly kind: Contradiction['kind']; readonly unexplained: readonly number[] };

const tooMuch: Found = { kind: 'over-admission', unexplained: [] };

/** What is asked of windows. */
type Asked = {
  readonly judged: readonly number[];
  readonly explained: ReturnType<typeof explainedBy>;
  readonly isTooFull: (window: Window) => boolean;
};

function unexplainedIn(guess: Guess, { judged, explained, isTooFull }: Asked): Found | null {
  const { windows } = guess;
  const own = new Map(
    reachedOf(windows, isTooFull).map((place) => [place, new Set(explained(guess, place))]),
  );
  const byAny = new Set([...own.values()].flatMap((one) => [...one]));
  const first = judged.find((at) => !byAny.has(at));
  if (first !== undefined) return { kind: 'wrongful-429', unexplained: [first] };
  return isOneRow(judged, { windows, explained: own }) ? null : { kind: 'wrongful-429', unexplained: judged };
}

/** What may have begun windows: a request without an answer may have begun the one that those after it are held against. */
function beginning({ entryAt, isLimited }: EntryObservations): readonly Entry[] {
  return entryAt.filter((_, at) => isLimited[at] !== true);
}

function contradictionOf(
  { group }: PromisedGroup,
  seen: EntryObservations,
  { kind, unexplained }: Found,
): Contradiction {
  const { limit, windowMs, key, scope } = group;
  const shown = unexplained.map((at) => seen.entryAt[at] as Entry);
  const sorted = [...beginning(seen), ...shown].sort(bySent);
  return {
    kind,
    expected: `${limitText(group)} of a key admitted in each window of ${secondsText(windowMs)}, which begins with its first one`,
    observed:
      kind === 'over-admission'
        ? `key ${key} at ${scope}: wherever its windows begin, one of them admitted more than ${limit}`
        : `key ${key} at ${scope}: wherever its windows begin, this or another 429 came in one that cannot have been full`,
    by: sorted,
  };
}
