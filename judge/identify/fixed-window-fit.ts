import { once } from '../../contract/once.ts';
import { countUpTo } from '../counting.ts';
import { fitBinaryWindows } from './binary-windows.ts';
import type { Fit, Hints, Span, Wanted } from './fit.ts';
import { decisiveEdges, lengthsBetween } from './fixed-window-lengths.ts';
import { cellStart, type ExplainedLimit, type Grid } from './grid.ts';
import { fitAligned, fitGrids, type GridClass } from './grid-search.ts';
import { admittedIn, firstBurstOf, fullestRow } from './limits-met.ts';
import { certainIn, keptUpToASecond, type Observations } from './observations.ts';
import { returnsOf } from './returns.ts';
import { width } from './spans.ts';
import { contradicting } from './telling-first.ts';

/** Counters that begin anew at every boundary of a grid. Nothing can be said where nothing ever came back. */
export function fitFixedWindows(
  seen: Observations,
  hints: Hints,
  wanted: Wanted = 'nearest',
): readonly Fit[] {
  const subject = windowsIn(seen, hints, wanted);
  if (subject === null) return [];
  const crossed = crossedIn(seen);
  return [
    ...fitGrids(seen, subject, hints),
    ...fitBinaryWindows(seen, subject, hints),
    ...(crossed === null || width(crossed) >= width(subject.bracket)
      ? []
      : fitGrids(seen, { ...subject, bracket: crossed }, hints)),
  ];
}

/**
 * The shortest row in which more passed than in the first burst, or in the first burst than in any later row: a boundary lies in
 * it, if any does. `null` where there is none.
 */
function crossedIn(seen: Observations): Span | null {
  const refusedMs = seen.low[seen.refusals[0] as number] as number;
  const passed = seen.rows.map((row) => ({ ...row, passed: admittedIn(seen, row) }));
  const later = passed.reduce(
    (most, row) => (row.lowMs > refusedMs ? Math.max(most, row.passed) : most),
    Number.NEGATIVE_INFINITY,
  );
  const most = crossedFrom * Math.min(firstBurstOf(seen), later);
  return passed
    .filter((row) => row.passed >= most)
    .reduce<Span | null>((best, row) => (best === null || width(row) < width(best) ? row : best), null);
}

/** `null` where nothing ever came back. */
function windowsIn(seen: Observations, hints: Hints, wanted: Wanted): GridClass | null {
  const [first, ...others] = returnsOf(seen);
  if (first === undefined) return null;
  // Any boundary will do, as they lie a length apart: the one that is known best.
  const bracket = others.reduce((best, span) => (width(span) < width(best) ? span : best), first);
  const edges = decisiveEdges(seen);
  return {
    wallClock: 'fixed-window-wall-clock',
    otherPhase: 'fixed-window-phase',
    bracket,
    // Nearly all counters that begin with a request begin anew with one: they have their own class.
    begunPrior: 0.04,
    spacing: 'even',
    timerLateMs,
    tried: Math.min(triedMax, Math.max(triedMin, Math.ceil(width(bracket) / triedEveryMs))),
    explain: (grid: Grid, giveUpAt: number) => explainFixedWindow(seen, grid, giveUpAt),
    lengths: (boundaryMs: number) => lengthsBetween(edges, boundaryMs, hints),
    wanted,
  };
}

/** No boundary is needed where so few more passed: one more is the request before the burst, or one that was in flight. */
const crossedFrom = 1.05;

/** How usual it is that a counter is kept by a time to live of whole seconds, up to the wall clock's boundary. */
const keptPrior = 0.05;

/** Windows shorter than this are hardly ever kept so, ms. */
const keptMsMin = 4_900;

/**
 * Windows of the wall clock that are kept by a time to live of whole seconds, so that they end with the fraction of a second at
 * which their first request came (go-zero's `PeriodLimit` with `Align`).
 */
export function fitKeptWindows(seen: Observations, hints: Hints, wanted: Wanted = 'nearest'): readonly Fit[] {
  // One end of a window at most falls into a burst: each part of it counts in one window, however late that ends.
  const limitMin = fullestRow(seen) / 2;
  return fitsOfKept(keptUpToASecond(seen), hints, wanted)
    .filter(
      ({ algorithm, lengthMs, limit }) =>
        algorithm === 'fixed-window-wall-clock' && lengthMs >= keptMsMin && limit >= limitMin,
    )
    .map((fit) => ({ ...fit, granularityMs: 1_000, plausibility: keptPrior * fit.plausibility }));
}

/** Those of any other phase are wanted by nobody, but say which contradictions are met first. */
function fitsOfKept(kept: Observations, hints: Hints, wanted: Wanted): readonly Fit[] {
  const subject = windowsIn(kept, hints, wanted);
  if (subject === null) return [];
  if (wanted === 'nearest') return fitGrids(kept, subject, hints);
  const fit = fitAligned(kept, subject, hints);
  return fit === null ? [] : [fit];
}

/** A timer that looks every quarter of a second whether a window is over ends it so much late, at most (bottleneck), ms. */
const timerLateMs = 350;

/** Boundaries that are tried: one that lies in a burst has to be met as closely as answers tell. */
const triedMin = 15;
const triedMax = 40;
const triedEveryMs = 100;

/** The exchanges that a counter of such a grid does not explain, by position; it may stop at more than `giveUpAt`. */
export function explainFixedWindow(seen: Observations, grid: Grid, giveUpAt: number): ExplainedLimit {
  // What the first burst alone contradicts too often need not be looked at further.
  const atLeast = fullestCell(seen, grid, { from: 0, until: Math.min(firstRows, seen.rows.length) });
  const early = refusalsWithout(seen, { grid, limit: atLeast, giveUpAt });
  if (early.length > giveUpAt) return { limit: atLeast, contradictedBy: early };
  const limit = Math.max(atLeast, fullestCell(seen, grid, { from: firstRows, until: seen.rows.length }));
  const contradictedBy = limit === atLeast ? early : refusalsWithout(seen, { grid, limit, giveUpAt });
  return { limit, contradictedBy };
}

/** The anchor and the first burst. */
const firstRows = 2;

type Asked = { readonly grid: Grid; readonly limit: number; readonly giveUpAt: number };

/** Refusals in cells that cannot have been full, or that admitted more after them. */
function refusalsWithout(seen: Observations, { grid, limit, giveUpAt }: Asked): readonly number[] {
  const { admissions, low, sentBy } = seen;
  const endsOfNext = endsOfNextAdmitted(seen);
  const isContradicted = (at: number): boolean => {
    const startMs = cellStart(grid, low[at] as number);
    // The earlier its cell began, the more may be in it.
    return (
      (sentBy[at] as number) - admissions.endedBefore(startMs) < limit ||
      (endsOfNext[at] as number) < startMs + grid.windowMs - roundedMs
    );
  };
  return contradicting(seen.refusals, { isContradicted, giveUpAt });
}

/** What boundaries are apart may be rounded by, ms. */
const roundedMs = 0.001;

/**
 * By position: when the first was decided at the latest that was admitted, and surely sent after the answer to that one. Whatever a
 * count that is full may hold, it is full until its cell ends.
 */
const endsOfNextAdmitted = once(({ low, high, isAdmitted }: Observations): Float64Array => {
  const ends = Float64Array.from(high, (ms, at) => (isAdmitted[at] === true ? ms : Number.POSITIVE_INFINITY));
  for (let at = ends.length - 2; at >= 0; at -= 1)
    ends[at] = Math.min(ends[at] as number, ends[at + 1] as number);
  return high.map((ms) => ends[countUpTo(low, ms)] ?? Number.POSITIVE_INFINITY);
});

/** Rows by their places: the first of them, and the one after the last. */
type Rows = { readonly from: number; readonly until: number };

/** The most that was surely admitted in one cell. A burst longer than the window is seen in its first and its last. */
function fullestCell({ admissions, rows }: Observations, grid: Grid, { from, until }: Rows): number {
  let most = 1;
  let lastMs = Number.NaN;
  for (let place = from; place < until; place += 1) {
    const { lowMs, highMs } = rows[place] as Span;
    const firstMs = cellStart(grid, lowMs);
    if (firstMs !== lastMs) most = Math.max(most, certainIn(admissions, firstMs, firstMs + grid.windowMs));
    lastMs = cellStart(grid, highMs);
    if (firstMs !== lastMs) most = Math.max(most, certainIn(admissions, lastMs, lastMs + grid.windowMs));
  }
  return most;
}
