import { countBelow } from '../counting.ts';
import { type CellDemand, contradictedCells } from './decided-before.ts';
import type { Fit, Hints, Span, Wanted } from './fit.ts';
import { alignedLengthsMs, cellStart, type ExplainedLimit, type Grid } from './grid.ts';
import { fitGrids, type GridClass } from './grid-search.ts';
import { hopelessBoundaries, type WeighedAnswers } from './hopeless-boundaries.ts';
import { type Demand, type Demands, lengthsMeeting } from './length-sweep.ts';
import { type Burst, certainIn, type Observations, possibleIn } from './observations.ts';
import { shortestCountedMs } from './plausibility.ts';
import { returnsOf } from './returns.ts';
import { contradicting } from './telling-first.ts';

/** Makes an end belong to its span. */
const instantMs = 0.001;

/** Parts of a span of lengths that are each looked at. */
const parts = 12;

/** Where the first share of the bucket before came back, the boundary was at most this many shares earlier. */
const sharesBefore = 2.2;

/**
 * The sliding window counter: one count per window of a grid, the one before weighted by how much of it the rolling
 * window still overlaps. Products differ in how that share is rounded: by less than one request.
 */
export function fitTwoBuckets(
  seen: Observations,
  limits: readonly number[],
  hints: Hints,
  wanted: Wanted = 'nearest',
): readonly Fit[] {
  const [back] = returnsOf(seen);
  return back === undefined
    ? []
    : limits
        .filter(isShared)
        .flatMap((limit) =>
          fitIn(
            seen,
            { limit, bracket: before(back, limit, hints), spacing: 'late', tried: 15, wanted },
            hints,
          ),
        );
}

/** The same where the first burst itself went across a boundary, so that shares came back before the first refusal. */
export function fitTwoBucketsEarly(
  seen: Observations,
  limits: readonly number[],
  hints: Hints,
  wanted: Wanted = 'nearest',
): readonly Fit[] {
  const back = { lowMs: seen.low[0] as number, highMs: seen.high[seen.refusals[0] as number] as number };
  return limits
    .filter(isShared)
    .flatMap((limit) => fitIn(seen, { limit, bracket: back, spacing: 'even', tried: 40, wanted }, hints));
}

/** Of a single request nothing is left but all or none: that is a window on a grid, or a gap. */
export function isShared(limit: number): boolean {
  return limit > 1;
}

/** Where the boundary lies before which nothing had come back. */
function before({ lowMs, highMs }: Span, limit: number, { windowMs }: Hints): Span {
  const shareMs = Math.max(highMs, windowMs ?? 0) / limit;
  return { lowMs: lowMs - sharesBefore * shareMs, highMs };
}

type Search = { readonly limit: number; readonly bracket: Span } & Pick<
  GridClass,
  'spacing' | 'tried' | 'wanted'
>;

function fitIn(seen: Observations, { limit, ...search }: Search, hints: Hints): readonly Fit[] {
  const subject = {
    wallClock: 'two-bucket',
    otherPhase: 'two-bucket',
    begunPrior: 0.3,
    ...search,
    explain: (grid: Grid, giveUpAt: number) => explainTwoBuckets(seen, { grid, limit, giveUpAt }),
    lengths: (boundaryMs: number) => lengthsFor(seen, { boundaryMs, limit }, hints),
    isHopeless: hopelessBoundaries(weighedAnswers(seen, limit)),
  } as const;
  return fitGrids(seen, subject, hints);
}

/** What its answers say of a counter of a certain limit: of each burst, the last of those that surely began in it. */
export function weighedAnswers(
  { low, refusals, sentBy, bursts, admissions }: Observations,
  limit: number,
): WeighedAnswers {
  const admitted = bursts.filter(({ ended, sentBefore }) => ended > sentBefore);
  const ends = Float64Array.from(admitted, ({ highMs }) => highMs);
  return {
    tally: admissions,
    limit,
    limited: {
      ms: Float64Array.from(refusals, (at) => low[at] as number),
      sent: Float64Array.from(refusals, (at) => sentBy[at] as number),
    },
    admitted: { fromMs: ends, ms: ends, decided: Float64Array.from(admitted, ({ ended }) => ended - 1) },
  };
}

type Question = { readonly grid: Grid; readonly limit: number; readonly giveUpAt: number };

/** The exchanges that a counter of such a grid and limit does not explain, by position; it may stop at more than `giveUpAt`. */
export function explainTwoBuckets(seen: Observations, { grid, limit, giveUpAt }: Question): ExplainedLimit {
  const limited = contradicting(seen.refusals, {
    isContradicted: (at) => mostWeighed(seen, grid, at) <= limit - 1,
    giveUpAt,
  });
  const { bursts, low } = seen;
  const admitted = contradicting(placesOf(bursts), {
    isContradicted: (place) => leastWeighed(seen, grid, bursts[place] as Burst) >= limit,
    giveUpAt: giveUpAt - limited.length,
  });
  const contradictedBy = [
    ...limited,
    ...admitted.map((place) => countBelow(low, (bursts[place] as Burst).highMs) - 1),
  ];
  return { limit, contradictedBy: contradictedBy.length > 0 ? contradictedBy : together(seen, grid, limit) };
}

const places = new WeakMap<readonly Burst[], readonly number[]>();

/** The places of bursts in their list, as one list for each. */
export function placesOf(bursts: readonly Burst[]): readonly number[] {
  const known = places.get(bursts) ?? bursts.map((_, at) => at);
  places.set(bursts, known);
  return known;
}

/** Answers that each by itself fits, but not all of one cell together. */
function together(seen: Observations, grid: Grid, limit: number): readonly number[] {
  const { possibleHigh, certainLow } = seen.admissions;
  const overlapOf = (ms: number, startMs: number): number => 1 - (ms - startMs) / grid.windowMs;
  // One that was decided in a later cell, among fewer, asks no less of the cell in which it was sent.
  function* limited(): Generator<CellDemand> {
    for (const at of seen.refusals) {
      const lowMs = seen.low[at] as number;
      const startMs = cellStart(grid, lowMs);
      const previous = countBelow(possibleHigh, startMs - grid.windowMs);
      const counted = seen.sentBy[at] as number;
      yield { at, startMs, counted, previous, overlap: overlapOf(lowMs, startMs) };
    }
  }
  // Where the last of a burst was decided before the boundary, all of it was, and no more than a window takes: that meets it too.
  function* admitted(): Generator<CellDemand> {
    for (const [at, { highMs, ended }] of seen.bursts.entries()) {
      const startMs = cellStart(grid, highMs);
      const previous = countBelow(certainLow, startMs - grid.windowMs);
      yield { at, startMs, counted: ended - 1, previous, overlap: overlapOf(highMs, startMs) };
    }
  }
  return contradictedCells({
    above: { count: limit - 1, by: limited() },
    below: { count: limit, by: admitted() },
  });
}

/**
 * The most that the counter can have stood at at a moment by which so many that may count had been sent: what may be in the
 * bucket of that moment, and its share of what may be in the one before.
 */
export function mostAt({ admissions }: Observations, grid: Grid, ms: number, sent: number): number {
  const { windowMs } = grid;
  const startMs = cellStart(grid, ms);
  const ended = admissions.endedBefore(startMs);
  const previous = ended - admissions.endedBefore(startMs - windowMs);
  return sent - ended + previous * (1 - (ms - startMs) / windowMs);
}

/**
 * The most that the counter can have stood at when a request was refused: when it was sent. What ended between two
 * boundaries leaves its own window at the second of them, and weighs in whole on the next one: no later moment says more.
 */
function mostWeighed(seen: Observations, grid: Grid, at: number): number {
  return mostAt(seen, grid, seen.low[at] as number, seen.sentBy[at] as number);
}

/** The least that it stood at when the last admission of a burst that surely came after the boundary was decided. */
function leastWeighed(seen: Observations, grid: Grid, burst: Burst): number {
  const startMs = cellStart(grid, burst.highMs);
  const sent = seen.admissions.surelySentBefore(startMs);
  const inBurst = burst.ended - Math.max(sent, burst.sentBefore);
  if (inBurst <= 0) return 0;
  const overlap = 1 - (burst.highMs - startMs) / grid.windowMs;
  return burst.ended - sent - 1 + certainIn(seen.admissions, startMs - grid.windowMs, startMs) * overlap;
}

type Guess = { readonly boundaryMs: number; readonly limit: number };

/** What the first bucket after the boundary asks of the length. */
export function lengthsFor(seen: Observations, { boundaryMs, limit }: Guess, hints: Hints): readonly Span[] {
  const { admissions } = seen;
  const start = seen.low[0] as number;
  const longestCell = boundaryMs - start;
  const previousMost = possibleIn(admissions, start, boundaryMs);
  const previousLeast = Math.max(0, certainIn(admissions, start, boundaryMs) - 1);
  const atLeast = seen.refusals.flatMap((at): Demand[] => {
    const sinceMs = (seen.low[at] as number) - boundaryMs;
    if (sinceMs > longestCell) return [];
    const missing = previousMost + possibleIn(admissions, boundaryMs, seen.high[at] as number) - (limit - 1);
    return missing <= 0 ? [] : [{ at, ms: (sinceMs * previousMost) / missing }];
  });
  const atMost = seen.bursts.flatMap(({ highMs }, at): Demand[] => {
    const sinceMs = highMs - boundaryMs;
    if (sinceMs <= 0 || sinceMs > longestCell) return [];
    const over = previousLeast + certainIn(admissions, boundaryMs, highMs + instantMs) - 1 - limit;
    return over <= 0 ? [] : [{ at, ms: (sinceMs * previousLeast) / over }];
  });
  return lengthsWithin({ atLeast, atMost }, hints);
}

/** The lengths that meet such demands, in parts; and each usual length within them. */
export function lengthsWithin(demands: Demands, hints: Hints): readonly Span[] {
  const span = lengthsMeeting(demands);
  const highMs = Math.max(shortestCountedMs.buckets, Math.min(span.highMs, 7_200_000));
  const lowMs = Math.max(shortestCountedMs.buckets, Math.min(span.lowMs, highMs));
  const ratio = (highMs / lowMs) ** (1 / parts);
  // Each is looked at in its middle, and stands for half of its neighbours too: what holds there may hold up to there.
  const spans = Array.from({ length: parts }, (_, part) => ({
    lowMs: lowMs * ratio ** (part - 0.5),
    highMs: lowMs * ratio ** (part + 1.5),
  }));
  const usual = alignedLengthsMs(hints).filter((ms) => ms >= lowMs && ms <= highMs);
  return [
    ...spans.filter((one) => one.highMs > one.lowMs),
    ...usual.map((ms) => ({ lowMs: ms, highMs: ms })),
  ];
}
