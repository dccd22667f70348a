import { bounds } from '../../contract/bounds.ts';
import { costOf } from '../../contract/document/cost.ts';
import { coverOf, covers, leftFree, type Stretch } from '../cover.ts';
import { bySent, type Entry } from '../entries.ts';
import { secondsText } from '../evidence.ts';
import { reachesOf } from '../lengths.ts';
import { serviceTimeFrom } from '../service-time.ts';
import { spanOf } from '../span.ts';
import { allBut } from './all-but.ts';
import { explainedInPieces, inPieces } from './in-pieces.ts';
import { fillingIn, limitText, requestsText } from './in-units.ts';
import type { Contradiction, Explainer, PromisedGroup, Prover } from './prover.ts';

/** Where no window may begin, by the service's clock since the run began, and the requests that say so. */
type Without = Stretch & { readonly by: () => readonly Entry[]; readonly isRefusal: boolean };

/** How the windows of a promise may lie, and how far back what they count may reach. */
export type FixedKind = {
  readonly isByClock: boolean;
  /** How many windows before the present one weigh on a refusal: 0, or 1 where a counter weighs the one before. */
  readonly windowsBefore: 0 | 1;
};

/**
 * So many in each window of one grid. A window begins among any limit + 1 that were admitted within its length, and none
 * begins between the last request that a 429 needs counted and the 429 itself. Violated where those stretches leave no place for
 * the grid's boundaries. A window may be held a second longer, as where its end is kept in whole ones.
 */
export function proveGrid(kind: FixedKind): Prover {
  return inPieces((promised) => {
    const { group } = promised;
    const stretches = [
      ...byAdmissions(promised),
      ...byRefusals(promised, kind),
      ...(kind.isByClock ? offTheClock(promised) : []),
    ];
    const cover = coverOf(stretches, group.windowMs);
    if (cover === null) return null;
    const found = contradictionOf(promised, cover);
    // What the clock says is known from the first request on: a step since then would move all boundaries.
    return kind.isByClock ? { ...found, by: [...group.entries.slice(0, 1), ...found.by] } : found;
  });
}

/** Each that leaves the boundaries of some grid a place, beside all that was admitted. */
export function explainedByGrid(kind: FixedKind): Explainer {
  return explainedInPieces((promised) => {
    const { refusals, group } = promised;
    const others = [...byAdmissions(promised), ...(kind.isByClock ? offTheClock(promised) : [])];
    const free = leftFree(others, group.windowMs);
    if (free.length === 0) return [];
    const filling = byRefusals(promised, kind, ({ exchange }) => costOf(exchange)).filter((one) =>
      free.every((part) => covers(one, part, group.windowMs)),
    );
    return allBut(
      refusals,
      filling.map(({ refusal }) => refusal),
    );
  });
}

/** The rest of a window, around each limit + 1 admissions that are too many where no window begins among them. */
function byAdmissions({ group, begunMs }: PromisedGroup): readonly Without[] {
  const { admitted, limit, windowMs } = group;
  const time = serviceTimeFrom(begunMs);
  const byHigh = [...admitted].sort((left, right) => left.highMs - right.highMs);
  const places = new Map(byHigh.map((entry, at) => [entry, at]));
  const sent = new Uint8Array(admitted.length).fill(1);
  const found: Without[] = [];
  let [until, held] = [0, 0];
  // What was answered first, of those sent from here on: `held` of them are at places before `until`.
  for (const entry of admitted) {
    while (held < limit + 1 && until < byHigh.length) {
      held += sent[until] as number;
      until += 1;
    }
    if (held < limit + 1) break;
    const last = byHigh[until - 1] as Entry;
    const [fromMs, toMs] = [time.latest(last.highMs), time.earliest(entry.lowMs) + windowMs];
    if (toMs > fromMs) {
      const answered = until;
      const by = () => byHigh.slice(0, answered).filter((one) => one.lowMs >= entry.lowMs);
      found.push({ fromMs, toMs, by, isRefusal: false });
    }
    const place = places.get(entry) as number;
    sent[place] = 0;
    if (place < until) held -= 1;
  }
  return found;
}

/** `itself`: how many of those that fill a window stand for a refusal itself; left out: as many as it costs, if it is among them. */
function byRefusals(
  { group, refusals, begunMs }: PromisedGroup,
  { windowsBefore }: FixedKind,
  itself?: (refusal: Entry) => number,
): readonly (Without & { readonly refusal: Entry })[] {
  const { limit, windowMs, explaining } = group;
  const time = serviceTimeFrom(begunMs);
  const fills = fillingIn(group);
  const reaches = reachesOf({
    ...{ limit, refusals, reading: 'counted', entries: explaining.filter(fills) },
    itself: itself ?? ((refusal) => (fills(refusal) ? costOf(refusal.exchange) : 0)),
  });
  return reaches.map(({ refusal, fromMs }) => ({
    refusal,
    fromMs: time.latest(Math.max(fromMs, begunMs)) + windowsBefore * windowMs,
    toMs: time.earliest(refusal.lowMs) - bounds.granularityMs,
    by: () => [refusal],
    isRefusal: true,
  }));
}

/** All but the boundaries of the clock, as far as it may be off ours. */
function offTheClock({ group, begunMs, skewMs }: PromisedGroup): readonly Without[] {
  const [first] = group.entries;
  if (first === undefined) return [];
  const { sentMs, wallSentMs } = first.exchange;
  const epochMs = -(begunMs + ((wallSentMs ?? sentMs) - sentMs));
  return [
    { fromMs: epochMs + skewMs, toMs: epochMs + group.windowMs - skewMs, by: () => [], isRefusal: false },
  ];
}

function contradictionOf({ group }: PromisedGroup, cover: readonly Without[]): Contradiction {
  const { windowMs, key, scope } = group;
  const found = cover.map(({ by, isRefusal }) => ({ by: by(), isRefusal }));
  const refusals = found.filter(({ isRefusal }) => isRefusal);
  const crowds = found.filter(({ isRefusal, by }) => !isRefusal && by.length > 0);
  const crowded = crowds.map(
    ({ by }) => `${requestsText(by, group)} admitted within ${secondsText(spanOf(by).ms)}`,
  );
  const count = refusals.length;
  const between = count === 0 ? [] : [`${count === 1 ? 'a 429' : `${count} 429s`} in between`];
  const where = `key ${key} at ${scope}`;
  return {
    kind: crowds.length > 0 ? 'over-admission' : 'wrongful-429',
    expected: `${limitText(group)} of a key admitted in each window of ${secondsText(windowMs)}, and as many in the next`,
    observed:
      crowds.length > 0
        ? `no such windows explain ${where}: ${[...crowded, ...between].join(', ')}`
        : `${where}: ${refusedText(count, found.length > count)}`,
    by: [...new Set(found.flatMap(({ by }) => by))].sort(bySent),
  };
}

/** What shows it where 429s alone do; where windows are the clock's, what else leaves moments out is no exchange. */
function refusedText(count: number, areByClock: boolean): string {
  const one = count === 1 ? 'a 429' : `one of ${count} 429s`;
  return areByClock
    ? `${one} came in a window of the clock that cannot have been full`
    : `${one} came in a window that cannot have been full, wherever windows begin`;
}
