import { plainExchange } from '../../contract/exchange-store.ts';
import { countBelow, countUpTo } from '../counting.ts';
import { byOutcome, type Entry, plainEntry } from '../entries.ts';
import { heldMs } from './first-request-seen.ts';
import { eachOnce } from './in-units.ts';
import type { Explainer, PromisedGroup, Prover } from './prover.ts';

/** The refusals of so many windows are asked about in one piece; */
const askedWindows = 300;
/** what came before them, in so many times as long as a window may be held, tells where windows lie. */
const heldBefore = 20;

/** A part of a trace that is held against a promise as a whole run is. */
type Piece = {
  readonly promised: PromisedGroup;
  /** The entry of the trace that one of the piece stands for. */
  readonly wholeOf: (entry: Entry) => Entry;
};

/** A prover of windows that lie somewhere, which is asked about a long trace in pieces. */
export function inPieces(prove: Prover): Prover {
  return (whole) => {
    for (const { promised, wholeOf } of piecesOf(whole)) {
      const found = prove(promised);
      if (found !== null) return { ...found, by: found.by.map(wholeOf) };
    }
    return null;
  };
}

/** Who tells what such windows explain, likewise. */
export function explainedInPieces(explained: Explainer): Explainer {
  return (whole) => piecesOf(whole).flatMap(({ promised }) => explained(promised));
}

/**
 * A long trace in pieces: where windows lie is found out anew in each, so that neither their number grows with the trace nor
 * how far clocks may have come apart. Each refusal is asked about in one piece, with all that may explain it.
 */
export function piecesOf(promised: PromisedGroup): readonly Piece[] {
  const { group, refusals } = promised;
  const { windowMs, entries, explaining } = group;
  const lows = lowsOf(explaining);
  const [firstMs = 0, endMs = 0] = [lows[0], lows.at(-1)];
  const isShort = endMs - firstMs <= askedWindows * windowMs + beforeMs(windowMs);
  // What may have been sent at any time belongs to each piece.
  if (isShort || firstMs === Number.NEGATIVE_INFINITY) return [{ promised, wholeOf: (entry) => entry }];
  const taking = {
    asked: between(refusals),
    entries: along(entries),
    explaining: explaining === entries ? null : along(explaining),
  };
  const pieces: Piece[] = [];
  let fromMs = firstMs;
  while (fromMs <= endMs) {
    const untilMs = fromMs + askedWindows * windowMs;
    pieces.push(pieceOf(promised, taking, { fromMs, untilMs }));
    fromMs = lows[countBelow(lows, untilMs)] ?? Number.POSITIVE_INFINITY;
  }
  return pieces;
}

/** What takes from a trace what belongs to one piece after another. */
type Taking = {
  readonly asked: (fromMs: number, untilMs: number) => readonly Entry[];
  readonly entries: Along;
  /** `null` where these are the entries. */
  readonly explaining: Along | null;
};

/** The piece that asks about what was refused from one moment on, until another. */
function pieceOf(
  { group, begunMs, ...around }: PromisedGroup,
  taking: Taking,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Piece {
  const refusals = taking.asked(fromMs, untilMs);
  const startMs = fromMs - beforeMs(group.windowMs);
  const lastMs = refusals.reduce((latest, { highMs }) => Math.max(latest, highMs), untilMs);
  const wholes = new Map<Entry, Entry>();
  const partOf = (take: Along): readonly Entry[] => {
    const { onTheirWay, sent } = take(startMs, lastMs);
    const unsure = onTheirWay.map((entry) => counting(entry, startMs));
    for (const [at, entry] of onTheirWay.entries()) wholes.set(unsure[at] as Entry, entry);
    return [...unsure, ...sent];
  };
  const entries = partOf(taking.entries);
  const { admitted, limited, mayCount } = byOutcome(entries);
  const piece = {
    ...group,
    ...{ entries, admitted, mayCount, limited: eachOnce(limited) },
    explaining: taking.explaining === null ? entries : partOf(taking.explaining),
  };
  return {
    // Whoever used the key before the run may have filled a window; before a later piece that is in the trace.
    promised: { ...around, group: piece, refusals, begunMs: Math.max(begunMs, startMs) },
    wholeOf: (entry) => wholes.get(entry) ?? entry,
  };
}

/** What was on its way at a moment, and what was sent from then on, up to another: asked about moments that ascend. */
type Along = (
  fromMs: number,
  untilMs: number,
) => { readonly onTheirWay: readonly Entry[]; readonly sent: readonly Entry[] };

function along(entries: readonly Entry[]): Along {
  const lows = lowsOf(entries);
  let [onTheirWay, passed]: [readonly Entry[], number] = [[], 0];
  return (fromMs, untilMs) => {
    const first = countBelow(lows, fromMs);
    onTheirWay = [...onTheirWay, ...entries.slice(passed, first)].filter(({ highMs }) => highMs >= fromMs);
    passed = first;
    return { onTheirWay, sent: entries.slice(first, countUpTo(lows, untilMs)) };
  };
}

/** Those that were sent from one moment on, until another. */
function between(entries: readonly Entry[]): Taking['asked'] {
  const lows = lowsOf(entries);
  return (fromMs, untilMs) => entries.slice(countBelow(lows, fromMs), countBelow(lows, untilMs));
}

function lowsOf(entries: readonly Entry[]): Float64Array {
  return Float64Array.from(entries, ({ lowMs }) => lowMs);
}

/** What was on its way at a moment: it may have counted from then on, or before. */
function counting(entry: Entry, fromMs: number): Entry {
  const { exchange } = entry;
  return {
    ...plainEntry(entry),
    lowMs: fromMs,
    exchange: { ...plainExchange(exchange), outcome: 'refused' },
  };
}

function beforeMs(windowMs: number): number {
  return heldBefore * heldMs(windowMs);
}
