import type { Span } from './fit.ts';
import type { Tally } from './observations.ts';

/**
 * What the answers say of a counter that weighs the window before by its share of the rolling one, as columns. A refusal needs
 * the counter above `limit − 1`, an admission below `limit`.
 */
export type WeighedAnswers = {
  readonly tally: Tally;
  readonly limit: number;
  readonly limited: {
    /** When it was sent, ms. */
    readonly ms: Float64Array;
    /** How many that may have counted had been sent by its answer. */
    readonly sent: Float64Array;
  };
  readonly admitted: {
    /** When it may have been decided at first, and at last, ms. */
    readonly fromMs: Float64Array;
    readonly ms: Float64Array;
    /** How many that surely counted had been decided before. */
    readonly decided: Float64Array;
  };
};

/** Lengths of window that are looked at lie well within these, ms. */
const shortestMs = 500;
const longestMs = 20_000_000;

/** Spans of lengths that are asked about at most, for one span of boundaries. */
const askedMax = 128;

/** Lengths that differ by no more than this factor are not parted. */
const narrow = 1.01;

function isNarrow({ lowMs, highMs }: Span): boolean {
  return highMs < narrow * lowMs;
}

/** Far less than one request, than one window, and than a millisecond: where two ways of reckoning may be rounded apart. */
const rounding = { requests: 1e-5, windows: 1e-10, ms: 1e-3 } as const;

/** Whether more than so many contradictions are met with each boundary of a span, of windows of some lengths or of any. */
export type IsHopeless = (boundary: Span, giveUpAt: number, lengths?: Span) => boolean;

/**
 * Whether every counter with a boundary in a span, of whatever length where none is given, is contradicted by more than so many answers; `false`
 * says nothing. Boundaries and lengths are asked about in spans: a refusal for the most that the counter can have stood
 * at with any of them, an admission for the least.
 */
export function hopelessBoundaries(answers: WeighedAnswers): IsHopeless {
  const isContradicted = contradictionsOf(answers);
  const shortest = shortestOf(answers);
  let open: Span | null = null;
  return (boundary, giveUpAt, asked) => {
    if (asked !== undefined) return isContradicted({ boundary, lengths: asked }, giveUpAt);
    const fromMs = shortest(giveUpAt);
    if (fromMs > longestMs) return true;
    // What could not be ruled out for a boundary nearby mostly can't be for this one.
    if (open !== null && open.lowMs >= fromMs && !isContradicted({ boundary, lengths: open }, giveUpAt))
      return false;
    let left = askedMax;
    const isRuledOut = (lowMs: number, highMs: number): boolean => {
      if (left <= 0) return false;
      left -= 1;
      const lengths = { lowMs, highMs };
      if (isContradicted({ boundary, lengths }, giveUpAt)) return true;
      if (isNarrow(lengths)) {
        open = lengths;
        return false;
      }
      const middleMs = Math.sqrt(lowMs * highMs);
      return isRuledOut(lowMs, middleMs) && isRuledOut(middleMs, highMs);
    };
    return isRuledOut(fromMs, longestMs);
  };
}

/**
 * The least length with no more than so many contradictions, wherever its boundaries lie: what a refused request met was sent
 * within two windows.
 */
function shortestOf({ tally, limit, limited }: WeighedAnswers): (giveUpAt: number) => number {
  const lengths = limited.ms
    .map((ms, at) => {
      // No more than the others may have ended before the two windows.
      const gone = Math.floor((limited.sent[at] as number) - (limit - 1) + rounding.requests);
      return gone <= 0 ? Number.POSITIVE_INFINITY : (ms - (tally.possibleHigh[gone - 1] as number)) / 2;
    })
    .sort();
  return (giveUpAt) => Math.max(shortestMs, (lengths.at(-1 - giveUpAt) ?? 0) - rounding.ms);
}

/** Boundaries and lengths of windows. */
type Box = { readonly boundary: Span; readonly lengths: Span };

/** So many answers of each kind, beside those that may contradict, are asked of a box that can still be parted. */
const askedFirst = 3;

/** An answer that may lie in more windows than these says nothing. */
const cellsMax = 3;

/** Whether more than so many answers contradict each boundary together with each length. */
function contradictionsOf(answers: WeighedAnswers): (box: Box, giveUpAt: number) => boolean {
  // What contradicted others is asked about first.
  const limited = Int32Array.from(answers.limited.ms, (_, at) => at);
  const admitted = Int32Array.from(answers.admitted.ms, (_, at) => at);
  return (box, giveUpAt) => {
    // Where these do not rule out a box that can be parted, to ask of its parts costs less than to ask all the others too.
    const until = isNarrow(box.lengths) ? Number.POSITIVE_INFINITY : giveUpAt + askedFirst;
    let found = 0;
    for (let at = 0; at < limited.length && at < until && found <= giveUpAt; at += 1) {
      if (!isNeverFull(answers, box, limited[at] as number)) continue;
      swap(limited, at, found);
      found += 1;
    }
    let more = 0;
    for (let at = 0; at < admitted.length && at < until && found + more <= giveUpAt; at += 1) {
      if (!isAlwaysFull(answers, box, admitted[at] as number)) continue;
      swap(admitted, at, more);
      more += 1;
    }
    return found + more > giveUpAt;
  };
}

function swap(order: Int32Array, one: number, other: number): void {
  const place = order[one] as number;
  order[one] = order[other] as number;
  order[other] = place;
}

/** Whether the counter cannot have been full when a request was refused: in any window that it may have been sent in. */
function isNeverFull({ tally, limit, limited }: WeighedAnswers, box: Box, place: number): boolean {
  const { boundary, lengths } = box;
  const ms = limited.ms[place] as number;
  const sent = limited.sent[place] as number;
  const last = windowsSince(ms - boundary.lowMs, lengths.lowMs, lengths.highMs);
  const first = windowsSince(ms - boundary.highMs, lengths.highMs, lengths.lowMs);
  const until = Math.floor(last + rounding.windows);
  const from = Math.floor(first - rounding.windows);
  if (until - from >= cellsMax) return false;
  for (let cell = from; cell <= until; cell += 1) {
    const share = Math.min(1, 1 + cell - first);
    const ended = tally.endedBefore(boundary.lowMs + cell * (cell < 0 ? lengths.highMs : lengths.lowMs));
    const beforeMs = boundary.lowMs + (cell - 1) * (cell < 1 ? lengths.highMs : lengths.lowMs);
    const stood = sent - ended + share * (ended - tally.endedBefore(beforeMs));
    if (stood > limit - 1 - rounding.requests) return false;
  }
  return true;
}

/** Whether the counter was surely full when a request was admitted. */
function isAlwaysFull({ tally, limit, admitted }: WeighedAnswers, box: Box, place: number): boolean {
  const { boundary, lengths } = box;
  const ms = admitted.ms[place] as number;
  const last = windowsSince(ms - boundary.lowMs, lengths.lowMs, lengths.highMs);
  const first = windowsSince(
    (admitted.fromMs[place] as number) - boundary.highMs,
    lengths.highMs,
    lengths.lowMs,
  );
  const cell = Math.floor(last + rounding.windows);
  if (cell !== Math.floor(first - rounding.windows)) return false;
  const startMs = boundary.highMs + cell * (cell < 0 ? lengths.lowMs : lengths.highMs);
  const own = (admitted.decided[place] as number) - tally.surelySentBefore(startMs);
  if (own < 0) return false;
  const beforeMs = boundary.highMs + (cell - 1) * (cell < 1 ? lengths.lowMs : lengths.highMs);
  const ended = tally.surelyEndedBefore(boundary.lowMs + cell * (cell < 0 ? lengths.highMs : lengths.lowMs));
  const before = Math.max(0, ended - tally.surelySentBefore(beforeMs));
  return own + Math.max(0, 1 + cell - last) * before >= limit + rounding.requests;
}

/** Windows since a boundary: with one length where it came before, with the other where it is still to come. */
function windowsSince(ms: number, after: number, ahead: number): number {
  return ms / (ms < 0 ? ahead : after);
}
