import { once } from '../../contract/once.ts';
import { countBelow, countUpTo } from '../counting.ts';
import { type CellDemand, contradictedCells } from './decided-before.ts';
import type { Fit, Hints, Span, Wanted } from './fit.ts';
import { cellStart, type ExplainedLimit, type Grid } from './grid.ts';
import { fitGrids } from './grid-search.ts';
import { hopelessBoundaries, type WeighedAnswers } from './hopeless-boundaries.ts';
import type { Demand } from './length-sweep.ts';
import { certainIn, countingRejections, decisive, type Observations, possibleIn } from './observations.ts';
import { limitPlausibility } from './plausibility.ts';
import { refusedCrowds } from './refused-crowds.ts';
import { returnsOf } from './returns.ts';
import { contradicting } from './telling-first.ts';
import { isShared, lengthsWithin, mostAt } from './two-bucket-fit.ts';

/**
 * Boundaries that are tried: one request more or less moves the first return by its share of the window, and the right ones
 * span little more than that. After a long wait they lie anywhere in a longer time.
 */
const tried = { min: 48, max: 400, everyMs: 1_000, everyShares: 0.8 } as const;

/** What was refused before the boundary weighs on the window after it: the first share is back in this part of it. */
const backWithin = 0.85;

/**
 * The sliding window counter for which rejected requests count too. What was sent to a full window keeps the next one
 * closed for a while; so the boundary may lie well before the first return.
 */
export function fitCountingBuckets(
  seen: Observations,
  limits: readonly number[],
  hints: Hints,
  wanted: Wanted = 'nearest',
): readonly Fit[] {
  const [back] = returnsOf(seen);
  if (back === undefined) return [];
  const asked = countingAll(seen);
  const windowMs = Math.max(back.highMs, hints.windowMs ?? 0);
  // Before the first request no boundary made any difference.
  const fromMs = Math.max(seen.low[0] as number, back.lowMs - backWithin * windowMs);
  const fitsOf = (limit: number, bracket: Span, places: number): readonly Fit[] =>
    fitGrids(
      seen,
      {
        wallClock: 'two-bucket-counting-rejections',
        otherPhase: 'two-bucket-counting-rejections',
        bracket,
        spacing: 'even',
        tried: places,
        begunPrior: 2,
        wanted,
        explain: (grid, giveUpAt) => explainCountingBuckets(asked, { grid, limit, giveUpAt }),
        lengths: (boundaryMs) => lengthsFor(asked, { boundaryMs, limit }, hints),
        isHopeless: hopelessBoundaries(countedAnswers(asked, limit)),
      },
      hints,
    ).map((fit) => ({ ...fit, rejectionsCount: true, plausibility: prior * fit.plausibility }));
  const shared = limits.filter(isShared);
  const untilBack = { lowMs: fromMs, highMs: back.highMs };
  const fits = shared.flatMap((limit) => fitsOf(limit, untilBack, placesIn(untilBack, { limit, windowMs })));
  const near = fits.find(({ contradictedBy }) => contradictedBy.length === 0);
  if (near === undefined) return fits;
  // Of neighbouring limits all may explain as much, each at a boundary of its own: the likelier ones are not passed over.
  const likelier = shared.filter(
    (limit) =>
      limitPlausibility(limit, hints) > limitPlausibility(near.limit, hints) && !explainedBy(fits, limit),
  );
  const closer = likelier.flatMap((limit) => fitsOf(limit, around(near, limit), closely.places));
  return withoutNeighbours([...fits, ...closer], hints);
}

/** How many boundaries are tried in a span of them. */
export function placesIn(
  { lowMs, highMs }: Span,
  { limit, windowMs }: { readonly limit: number; readonly windowMs: number },
): number {
  const everyMs = Math.min(tried.everyMs, tried.everyShares * (windowMs / limit));
  return Math.max(tried.min, Math.min(tried.max, Math.ceil((highMs - lowMs) / everyMs)));
}

/** Without limits beside a likelier one that explains all as well: at some boundary one request more or less often does. */
function withoutNeighbours(fits: readonly Fit[], hints: Hints): readonly Fit[] {
  const isBetter = (other: number, limit: number): boolean =>
    Math.abs(other - limit) === 1 && limitPlausibility(other, hints) > limitPlausibility(limit, hints);
  return fits.filter(
    ({ limit }) => !fits.some((other) => other.contradictedBy.length === 0 && isBetter(other.limit, limit)),
  );
}

/** Where around the boundary of a limit that explains all another one may have its own, in shares of a single request, and how many are tried. */
const closely = { shares: 4, places: 40 } as const;

/** One request more or less moves the boundary by its share of the window. */
function around({ boundary, limit: found, lengthMs }: Fit, limit: number): Span {
  const { lowMs, highMs } = boundary as Span;
  const reachMs = (closely.shares + Math.abs(limit - found)) * (lengthMs / limit);
  return { lowMs: lowMs - reachMs, highMs: highMs + reachMs };
}

function explainedBy(fits: readonly Fit[], limit: number): boolean {
  return fits.some((fit) => fit.limit === limit && fit.contradictedBy.length === 0);
}

/** How usual such counters are, beside those that count admitted requests only. */
const prior = 0.3;

/** A trace in which all requests count, and the admissions that decide. */
type Asked = { readonly seen: Observations; readonly admissions: readonly number[] };

/** A trace as such a counter sees it. */
export function countingAll(seen: Observations): Asked {
  const admitted = seen.isAdmitted.flatMap((isAdmitted, at) => (isAdmitted ? [at] : []));
  return { seen: countingRejections(seen), admissions: decisive(admitted, seen) };
}

/** What its answers say of a counter of a certain limit. */
export function countedAnswers({ seen, admissions }: Asked, limit: number): WeighedAnswers {
  const { low, high, refusals, sentBy, answeredBefore } = seen;
  return {
    tally: seen.admissions,
    limit,
    limited: {
      ms: Float64Array.from(refusals, (at) => low[at] as number),
      sent: Float64Array.from(refusals, (at) => (sentBy[at] as number) - 1),
    },
    admitted: {
      fromMs: Float64Array.from(admissions, (at) => low[at] as number),
      ms: Float64Array.from(admissions, (at) => high[at] as number),
      decided: Float64Array.from(admissions, (at) => answeredBefore[at] as number),
    },
  };
}

type Question = { readonly grid: Grid; readonly limit: number; readonly giveUpAt: number };

/** The exchanges that a counter of such a grid and limit does not explain, by position; it may stop at more than `giveUpAt`. */
export function explainCountingBuckets(asked: Asked, { grid, limit, giveUpAt }: Question): ExplainedLimit {
  const { seen, admissions } = asked;
  const limited = contradicting(seen.refusals, {
    isContradicted: (at) => most(asked, grid, at) <= limit - 1,
    giveUpAt,
  });
  const admitted = contradicting(admissions, {
    isContradicted: (at) => least(asked, grid, at) >= limit,
    giveUpAt: giveUpAt - limited.length,
  });
  const contradictedBy = [...limited, ...admitted];
  if (contradictedBy.length > 0) return { limit, contradictedBy };
  const all = together(asked, { grid, limit });
  return { limit, contradictedBy: all.length > 0 ? all : firstOfCrowds(asked, { grid, limit, giveUpAt }) };
}

/**
 * Refusals of which none can have been the first of those that were on their way with it: before that one, none of the others had
 * been counted.
 */
function firstOfCrowds({ seen }: Asked, { grid, limit, giveUpAt }: Question): readonly number[] {
  const { crowds, places } = countedBeforeCrowds(seen);
  const contradicted = contradicting(places, {
    isContradicted: (place) =>
      !(crowds[place] as CountedCrowd).mayBeFirst.some(
        ({ lowMs, sent }) => mostAt(seen, grid, lowMs, sent) > limit - 1,
      ),
    giveUpAt,
  });
  return contradicted.map((place) => (crowds[place] as CountedCrowd).at);
}

/** `at`: its first refusal. `mayBeFirst`: for each of them when it was sent, and how many may have counted by then. */
type CountedCrowd = {
  readonly at: number;
  readonly mayBeFirst: readonly { readonly lowMs: number; readonly sent: number }[];
};

/** A refusal that was alone says nothing here that it does not say for itself. */
const countedBeforeCrowds = once((seen: Observations) => {
  const { limited, low, order, sentBy } = seen;
  const lows = Float64Array.from(limited, (at) => order.low[at] as number);
  const crowds = refusedCrowds(seen)
    .filter(({ from, until }) => until - from > 1)
    .map(({ from, until }): CountedCrowd => {
      const crowd = limited.slice(from, until);
      const mayBeFirst = crowd.map((at) => {
        const ofCrowd = Math.min(until, countUpTo(lows, order.high[at] as number)) - from;
        return { lowMs: low[at] as number, sent: (sentBy[at] as number) - ofCrowd };
      });
      return { at: crowd[0] as number, mayBeFirst };
    });
  return { crowds, places: crowds.map((_, place) => place) };
});

/** Answers that each by itself fits, but not all of one cell together. */
function together(
  { seen, admissions: admitted }: Asked,
  { grid, limit }: Pick<Question, 'grid' | 'limit'>,
): readonly number[] {
  const { possibleHigh, certainLow } = seen.admissions;
  function* demands(positions: readonly number[], are: 'refused' | 'admitted'): Generator<CellDemand> {
    for (const at of positions) {
      const [lowMs, highMs] = [seen.low[at] as number, seen.high[at] as number];
      const startMs = cellStart(grid, lowMs);
      if (highMs >= startMs + grid.windowMs) continue;
      const [ends, ms, counted] =
        are === 'refused'
          ? [possibleHigh, lowMs, (seen.sentBy[at] as number) - 1]
          : [certainLow, highMs, seen.answeredBefore[at] as number];
      const previous = countBelow(ends, startMs - grid.windowMs);
      yield { at, startMs, counted, previous, overlap: 1 - (ms - startMs) / grid.windowMs };
    }
  }
  return contradictedCells({
    above: { count: limit - 1, by: demands(seen.refusals, 'refused') },
    below: { count: limit, by: demands(admitted, 'admitted') },
  });
}

/**
 * The most that the counter can have stood at just before a request, by its position. What ended in one window weighs in
 * whole at the beginning of the next: no moment after the first says more.
 */
function most({ seen }: Asked, grid: Grid, at: number): number {
  return mostAt(seen, grid, seen.low[at] as number, (seen.sentBy[at] as number) - 1);
}

/** The least that it can have stood at then. */
function least({ seen }: Asked, grid: Grid, at: number): number {
  const { windowMs } = grid;
  const lowMs = seen.low[at] as number;
  const highMs = seen.high[at] as number;
  const ended = seen.answeredBefore[at] as number;
  let least = Number.POSITIVE_INFINITY;
  for (let startMs = cellStart(grid, lowMs); startMs <= highMs; startMs += windowMs) {
    const overlap = 1 - (Math.min(highMs, startMs + windowMs) - startMs) / windowMs;
    const current = Math.max(0, ended - seen.admissions.surelySentBefore(startMs));
    least = Math.min(least, current + certainIn(seen.admissions, startMs - windowMs, startMs) * overlap);
  }
  return least;
}

type Guess = { readonly boundaryMs: number; readonly limit: number };

/** What the first bucket after the boundary asks of the length. */
export function lengthsFor(
  { seen, admissions: admitted }: Asked,
  { boundaryMs, limit }: Guess,
  hints: Hints,
) {
  const { admissions } = seen;
  const startMs = seen.low[0] as number;
  const longestCell = boundaryMs - startMs;
  const isIn = (sinceMs: number): boolean => sinceMs > 0 && sinceMs <= longestCell;
  const previousMost = possibleIn(admissions, startMs, boundaryMs);
  const previousLeast = certainIn(admissions, startMs, boundaryMs);
  const atLeast = seen.refusals.flatMap((at): Demand[] => {
    const sinceMs = (seen.low[at] as number) - boundaryMs;
    if (!isIn(sinceMs)) return [];
    const over = previousMost + possibleIn(admissions, boundaryMs, seen.high[at] as number) - limit;
    return over <= 0 ? [] : [{ at, ms: (sinceMs * previousMost) / over }];
  });
  const atMost = admitted.flatMap((at): Demand[] => {
    const sinceMs = (seen.high[at] as number) - boundaryMs;
    if (!isIn(sinceMs)) return [];
    const over = previousLeast + certainIn(admissions, boundaryMs, seen.low[at] as number) - limit;
    return over <= 0 ? [] : [{ at, ms: (sinceMs * previousLeast) / over }];
  });
  return lengthsWithin({ atLeast, atMost }, hints);
}
