import { plainExchange } from '../../contract/exchange-store.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { type Entry, plainEntry } from '../entries.ts';
import { countBelow } from '../intervals.ts';
import { heldMs } from './first-request-seen.ts';
import type { Explainer, Promised, Prover } from './prover.ts';

/** The refusals of so many windows are asked about in one piece; */
const askedWindows = 300;
/** what came before them, in so many times as long as a window may be held, tells where windows lie. */
const heldBefore = 20;

/** A part of a trace that is held against a promise as a whole run is. */
type Piece = {
  readonly promised: Promised;
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
export function piecesOf(promised: Promised): readonly Piece[] {
  const { windowMs, explaining } = promised.group;
  const lows = Float64Array.from(explaining, ({ lowMs }) => lowMs);
  const [firstMs = 0, endMs = 0] = [lows[0], lows.at(-1)];
  const isShort = endMs - firstMs <= askedWindows * windowMs + beforeMs(windowMs);
  // What may have been sent at any time belongs to each piece.
  if (isShort || firstMs === Number.NEGATIVE_INFINITY) return [{ promised, wholeOf: (entry) => entry }];
  const pieces: Piece[] = [];
  let fromMs = firstMs;
  while (fromMs <= endMs) {
    const untilMs = fromMs + askedWindows * windowMs;
    pieces.push(pieceOf(promised, { fromMs, untilMs }));
    fromMs = lows[countBelow(lows, untilMs)] ?? Number.POSITIVE_INFINITY;
  }
  return pieces;
}

/** The piece that asks about what was refused from one moment on, until another. */
function pieceOf(
  { group, refusals, begunMs, ...around }: Promised,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Piece {
  const asked = refusals.filter(({ lowMs }) => lowMs >= fromMs && lowMs < untilMs);
  const startMs = fromMs - beforeMs(group.windowMs);
  // Whoever used the key before the run may have filled a window; before a later piece that is in the trace.
  const beginMs = startMs > begunMs ? startMs : Number.NEGATIVE_INFINITY;
  const lastMs = asked.reduce((latest, { highMs }) => Math.max(latest, highMs), untilMs);
  const wholes = new Map<Entry, Entry>();
  const partOf = (entries: readonly Entry[]): readonly Entry[] =>
    entries
      .filter(({ lowMs, highMs }) => highMs >= beginMs && lowMs <= lastMs)
      .map((entry) => {
        if (entry.lowMs >= beginMs) return entry;
        const unsure = counting(entry, beginMs);
        wholes.set(unsure, entry);
        return unsure;
      });
  const entries = partOf(group.entries);
  const ofOutcome = (wanted: Outcome) => entries.filter(({ exchange }) => exchange.outcome === wanted);
  const piece = {
    ...group,
    entries,
    admitted: ofOutcome('admitted'),
    limited: ofOutcome('limited'),
    mayCount: entries.filter(({ exchange }) => exchange.outcome !== 'limited'),
    explaining: group.explaining === group.entries ? entries : partOf(group.explaining),
  };
  return {
    promised: { ...around, group: piece, refusals: asked, begunMs: Math.max(begunMs, startMs) },
    wholeOf: (entry) => wholes.get(entry) ?? entry,
  };
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
