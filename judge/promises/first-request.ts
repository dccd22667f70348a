import { bounds } from '../../contract/bounds.ts';
import { costOf } from '../../contract/document/cost.ts';
import { bySent, type Entry, type Group } from '../entries.ts';
import { secondsText } from '../evidence.ts';
import {
  fullest,
  type Starts,
  startsByAdmissions,
  type Window,
  windowsOf,
} from '../identify/first-request-windows.ts';
import type { Span } from '../identify/fit.ts';
import { certainIn, countingThose, type Observations, observe } from '../identify/observations.ts';
import { countUpTo } from '../intervals.ts';
import { serviceTimeFrom } from '../service-time.ts';
import { countedText, fillingIn } from './in-units.ts';
import type { Contradiction, Promised, Prover } from './prover.ts';

/**
 * So many in each window, which begins with the first request after the one before. The first may have begun before the
 * run: then it ended at any moment of its first length. Violated where, whenever that was, some window admitted more, or a
 * 429 was in none that may have been full.
 */
export const proveFirstRequest: Prover = (promised) => {
  const { group, refusals } = promised;
  if (mayBeAnyWindows(group)) return null;
  const seen = observed(promised);
  const own = new Set(refusals.map(({ exchange }) => exchange));
  const judged = seen.refusals.filter((at) => own.has((seen.entryAt[at] as Entry).exchange));
  const fills = fillingIn(group);
  const explaining = countingThose(seen, (at) => fills(seen.entryAt[at] as Entry));
  const starts = startsByAdmissions(seen);
  let best: Found | null = null;
  for (const firstEnd of firstEnds(seen, group.windowMs)) {
    const found = contradictionWith(promised, { seen, explaining, fills, starts, judged, firstEnd });
    if (found === null) return null;
    best ??= found;
  }
  return best === null ? null : contradictionOf(promised, seen, best);
};

/** Where nothing was sent; or at any time, before the run too: that may have begun any window, or been refused in one of those. */
export function mayBeAnyWindows({ explaining }: Group): boolean {
  return explaining.length === 0 || explaining.some(({ lowMs }) => lowMs === Number.NEGATIVE_INFINITY);
}

export type Seen = Observations & { readonly entryAt: readonly Entry[] };

/** The requests as the service's clock may have timed them, in the order in which they were sent. */
export function observed({ group, begunMs }: Promised): Seen {
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

/** When a window from before the run may have ended: `null` where there was none; else in one of these spans. */
export function firstEnds(
  { rows, low, high, refusals, isLimited }: Seen,
  windowMs: number,
): readonly (Span | null)[] {
  const firstMs = low[0] as number;
  const untilMs = firstMs + windowMs;
  // Within a burst too it matters before which of its requests the window ended.
  const each = [...low.keys()].filter((at) => isLimited[at] !== true);
  const counted = each.length > looseFrom ? rows : each.map((at) => spanAt({ low, high }, at));
  const asked = refusals.map((at) => spanAt({ low, high }, at));
  const edges = [firstMs, ...[...counted, ...asked].flatMap(({ lowMs, highMs }) => [lowMs, highMs]), untilMs]
    .filter((ms) => ms >= firstMs && ms <= untilMs)
    .sort((left, right) => left - right);
  const spans = edges.slice(1).map((highMs, at) => ({ lowMs: edges[at] as number, highMs }));
  return [null, ...spans.filter(({ lowMs, highMs }) => highMs > lowMs)];
}

/** Of more requests than these whole bursts are looked at alone. */
const looseFrom = 3_000;

function spanAt({ low, high }: Pick<Seen, 'low' | 'high'>, at: number): Span {
  return { lowMs: low[at] as number, highMs: high[at] as number };
}

/** When the first window may have ended, and what is asked of that. */
type Guess = {
  readonly seen: Seen;
  /** The same with all that may fill a window. */
  readonly explaining: Observations;
  readonly fills: (entry: Entry) => boolean;
  readonly starts: Starts;
  readonly judged: readonly number[];
  readonly firstEnd: Span | null;
};

/** Too much in some window; or refusals that no window explains. */
type Found = { readonly kind: Contradiction['kind']; readonly unexplained: readonly Entry[] };

function contradictionWith(
  { group }: Promised,
  { seen, explaining, fills, starts, judged, firstEnd }: Guess,
): Found | null {
  const { limit, windowMs } = group;
  const found = windowsOf(starts, windowMs, firstEnd);
  if (found === null) return null;
  if (fullest(seen, found, windowMs) > limit) return { kind: 'over-admission', unexplained: [] };
  const windows = found.windows();
  const explains = explainsBy({ seen, explaining, fills }, { limit, windowMs });
  const explained = windows.map((window, place) =>
    // Whoever used the key before the run may have filled what began before it.
    judged.map((at) => explains(window, at, place === 0 && firstEnd !== null)),
  );
  const wrong = judged.filter((_, at) => explained.every((own) => own[at] !== true));
  const isTooFull = tooFullBy(seen, { limit, windowMs });
  if (wrong.length === 0 && isOneSequence(windows, explained, isTooFull)) return null;
  const [first] = wrong;
  const unexplained = (first === undefined ? judged : [first]).map((at) => seen.entryAt[at] as Entry);
  return { kind: 'wrongful-429', unexplained };
}

/** Whether more was surely admitted in a window than may be. */
export function tooFullBy({ admissions }: Seen, { limit, windowMs }: Kept): (window: Window) => boolean {
  return ({ lowMs, ownFromMs }) => certainIn(admissions, ownFromMs, lowMs + windowMs) > limit;
}

/** What is promised of each window. */
type Kept = Pick<Group, 'limit' | 'windowMs'>;

/** What may have begun windows: a request without an answer may have begun the one that those after it are held against. */
function beginning({ entryAt, isLimited }: Seen): readonly Entry[] {
  return entryAt.filter((_, at) => isLimited[at] !== true);
}

/** Whether a refusal may have come in a window that may have been full by then. */
export function explainsBy(
  { seen, explaining, fills }: Pick<Guess, 'seen' | 'explaining' | 'fills'>,
  { limit, windowMs }: Kept,
): (window: Window, at: number, isFromBefore: boolean) => boolean {
  const { admissions, low, high, sentBy } = explaining;
  const untilMs = heldMs(windowMs);
  return ({ lowMs, highMs }, at, isFromBefore) => {
    if (lowMs > (high[at] as number) || highMs + untilMs < (low[at] as number)) return false;
    if (isFromBefore) return true;
    const refusal = seen.entryAt[at] as Entry;
    const cost = costOf(refusal.exchange);
    const sent = Math.min(countUpTo(admissions.possibleLow, highMs + untilMs), sentBy[at] as number);
    const itself = fills(refusal) ? cost : 0;
    return sent - itself - admissions.endedBefore(lowMs) > limit - cost;
  };
}

/** How long after its beginning a window may still refuse, ms. */
export function heldMs(windowMs: number): number {
  return windowMs + bounds.granularityMs;
}

/** So many sequences are tried at most; where there are more, one of them counts as possible. */
const sequencesMax = 2_000;

/** Whether windows that may have followed each other explain each refusal together, and none of them is too full. */
function isOneSequence(
  windows: readonly Window[],
  explained: readonly (readonly boolean[])[],
  isTooFull: (window: Window) => boolean,
): boolean {
  const tooFull = windows.map(isTooFull);
  let tried = 0;
  const isFrom = (place: number, open: readonly number[]): boolean => {
    if (tooFull[place] === true) return false;
    const left = open.filter((at) => explained[place]?.[at] !== true);
    if (left.length === 0) return true;
    const next = windows[place]?.next ?? [];
    tried += 1;
    return tried > sequencesMax || next.some((later) => isFrom(later, left));
  };
  return isFrom(0, [...(explained[0] ?? []).keys()]);
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
