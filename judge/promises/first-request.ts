import { bySent, type Entry } from '../entries.ts';
import { secondsText } from '../evidence.ts';
import {
  fullest,
  type Starts,
  startsByAdmissions,
  type Window,
  windowsOf,
} from '../identify/first-request-windows.ts';
import type { Span } from '../identify/fit.ts';
import { countingThose } from '../identify/observations.ts';
import {
  type Explaining,
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
import { inPieces } from './in-pieces.ts';
import { countedText, fillingIn } from './in-units.ts';
import type { Contradiction, Promised, Prover } from './prover.ts';

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
  const judged = seen.refusals.filter((at) => own.has((seen.entryAt[at] as Entry).exchange));
  const fills = fillingIn(group);
  const explaining = countingThose(seen, (at) => fills(seen.entryAt[at] as Entry));
  const [starts, near] = [startsByAdmissions(seen), nearby(judged, seen)];
  let best: Found | null = null;
  for (const firstEnd of firstEnds(seen, group.windowMs)) {
    const found = contradictionWith(promised, { seen, explaining, fills, starts, judged, near, firstEnd });
    if (found === null) return null;
    best ??= found;
  }
  return best === null ? null : contradictionOf(promised, seen, best);
});

/** When the first window may have ended, and what is asked of that. */
type Guess = Explaining & {
  readonly starts: Starts;
  readonly judged: readonly number[];
  readonly near: ReturnType<typeof nearby>;
  readonly firstEnd: Span | null;
};

/** Too much in some window; or refusals that no window explains. */
type Found = { readonly kind: Contradiction['kind']; readonly unexplained: readonly Entry[] };

function contradictionWith(
  { group }: Promised,
  { seen, explaining, fills, starts, judged, near, firstEnd }: Guess,
): Found | null {
  const { limit, windowMs } = group;
  const found = windowsOf(starts, windowMs, firstEnd);
  if (found === null) return null;
  if (fullest(seen, found, windowMs) > limit) return { kind: 'over-admission', unexplained: [] };
  const windows = found.windows();
  const explains = explainsBy({ seen, explaining, fills }, { limit, windowMs });
  const isFromBefore = mayBeFromBefore(firstEnd, seen, windowMs);
  const explained = windows.map((window, place) => {
    const asked = near(window.lowMs, window.highMs + heldMs(windowMs));
    return new Set(asked.filter(explains(window, place === 0 && isFromBefore)));
  });
  const byAny = new Set(explained.flatMap((own) => [...own]));
  const first = judged.find((at) => !byAny.has(at));
  const isTooFull = tooFullBy(seen, { limit, windowMs });
  if (first === undefined && isOneSequence(windows, { judged, explained, isTooFull })) return null;
  const unexplained = (first === undefined ? judged : [first]).map((at) => seen.entryAt[at] as Entry);
  return { kind: 'wrongful-429', unexplained };
}

/** What may have begun windows: a request without an answer may have begun the one that those after it are held against. */
function beginning({ entryAt, isLimited }: Seen): readonly Entry[] {
  return entryAt.filter((_, at) => isLimited[at] !== true);
}

/** So many sequences are tried at most; where there are more, one of them counts as possible. */
const sequencesMax = 2_000;

type Explained = {
  readonly judged: readonly number[];
  /** By the place of each window: the refusals that it explains. */
  readonly explained: readonly ReadonlySet<number>[];
  readonly isTooFull: (window: Window) => boolean;
};

/** Whether windows that may have followed each other explain each refusal together, and none of them is too full. */
function isOneSequence(windows: readonly Window[], { judged, explained, isTooFull }: Explained): boolean {
  const tooFull = windows.map(isTooFull);
  let tried = 0;
  const isFrom = (place: number, open: readonly number[]): boolean => {
    if (tooFull[place] === true) return false;
    const left = open.filter((at) => explained[place]?.has(at) !== true);
    if (left.length === 0) return true;
    const next = windows[place]?.next ?? [];
    tried += 1;
    return tried > sequencesMax || next.some((later) => isFrom(later, left));
  };
  return isFrom(0, judged);
}

function contradictionOf({ group }: Promised, seen: Seen, { kind, unexplained }: Found): Contradiction {
  const { limit, windowMs, key, scope } = group;
  const sorted = [...beginning(seen), ...unexplained].sort(bySent);
  return {
    kind,
    expected: `${limit} ${countedText(group)} of a key admitted in each window of ${secondsText(windowMs)}, which begins with its first one`,
    observed:
      kind === 'over-admission'
        ? `key ${key} at ${scope}: whenever the first window ended, some window admitted more`
        : `key ${key} at ${scope}: whenever the first window ended, this or another 429 came in a window that cannot have been full`,
    by: sorted,
  };
}
