import { greatestOf, leastOf } from '../../contract/extremes.ts';
import type { Fit, Hints, Span, Wanted } from './fit.ts';
import { alignedLengthsMs, type ExplainedLimit, type Grid, type Place, wallBoundaryIn } from './grid.ts';
import type { IsHopeless } from './hopeless-boundaries.ts';
import { narrowed } from './narrowed.ts';
import type { Observations } from './observations.ts';
import { likeliestMs, limitPlausibility, windowPlausibility } from './plausibility.ts';

/** A class of limiters on a grid: how it explains a trace, and which lengths are worth trying. */
export type GridClass = {
  readonly wallClock: Fit['algorithm'];
  readonly otherPhase: Fit['algorithm'];
  /** Where a boundary must lie. */
  readonly bracket: Span;
  /** May stop early once it has met more contradictions than `giveUpAt`. */
  readonly explain: (grid: Grid, giveUpAt: number) => ExplainedLimit;
  /** Lengths between which nothing is expected to change, for windows with this boundary. */
  readonly lengths: (boundaryMs: number) => readonly Span[];
  /** `late`: the boundary is the likelier the closer it is to the bracket's end. */
  readonly spacing: 'even' | 'late';
  /** How many boundaries are tried at first. */
  readonly tried: number;
  /** A timer may end each window so much late, ms; absent where none does. */
  readonly timerLateMs?: number;
  /** How usual it is that the grid begins with the first request, beside the wall clock's grid. */
  readonly begunPrior: number;
  readonly wanted: Wanted;
  /** Whether more than so many contradictions are met with any boundary in a span; absent where each has to be tried. */
  readonly isHopeless?: IsHopeless;
};

/** How usual such windows are on the wall clock's grid, and on any other. */
const prior = { wallClock: 1, otherPhase: 0.3 } as const;

/** An explanation with more contradictions than this is given up. */
const contradictionsMax = 4;

/** The best explanations on the wall clock's grid, and on any other. */
export function fitGrids(seen: Observations, subject: GridClass, hints: Hints): readonly Fit[] {
  const steps = stepsIn(seen, subject);
  const free =
    steps === null
      ? refined(subject, collect(subject, placesIn(subject), coarsely(subject)))
      : collect(subject, steps, wantedMax(subject));
  const aligned = fitAligned(seen, subject, hints);
  const begun = fitBegun(seen, subject, hints);
  const fits = [...(aligned === null ? [] : [aligned]), ...begun, ...ofOtherPhase(free, subject, hints)];
  if (fits.some(({ contradictedBy }) => contradictedBy.length === 0)) return fits;
  return [...fits, ...ofOtherPhase(narrowing(seen, subject, hints), subject, hints)];
}

/** Boundaries that are the wall clock's by chance alone, as one fit: each stands for its share of a window. */
function ofOtherPhase(points: readonly Point[], subject: GridClass, hints: Hints): readonly Fit[] {
  const weighed = points.map((one) => {
    const { window, weight } = timed(one.window, subject, hints);
    const perPlace = prior.otherPhase * (one.place.widthMs / middle(one.window));
    return { ...one, window, plausibility: perPlace * weight * limitPlausibility(one.limit, hints) };
  });
  return summed(subject.otherPhase, weighed, hints);
}

/** With more contradictions than these nothing is wanted. */
export function wantedMax({ wanted }: Pick<GridClass, 'wanted'>): number {
  return wanted === 'explaining' ? 0 : contradictionsMax;
}

/** What contradicts little may contradict nothing nearby. */
function coarsely({ wanted }: GridClass): number {
  return wanted === 'explaining' ? refinedUpTo : contradictionsMax;
}

/** How usual it is that a timer ends the windows late. */
const timerPrior = 0.03;

/** Lengths, and how plausible they are: a usual one may be a little shorter than what was seen of it. */
function timed(window: Span, { timerLateMs = 0 }: GridClass, hints: Hints): { window: Span; weight: number } {
  const early = { lowMs: window.lowMs - timerLateMs, highMs: window.highMs };
  const weight = windowPlausibility(window, hints);
  const timerWeight = timerPrior * windowPlausibility(early, hints);
  const lowMs = likeliestMs(early, hints);
  return timerWeight > weight
    ? { window: { lowMs, highMs: window.highMs }, weight: timerWeight }
    : { window, weight };
}

function placesIn({ bracket: { lowMs, highMs }, spacing, tried }: GridClass): readonly Place[] {
  const power = spacing === 'late' ? 2 : 1;
  const edge = (at: number): number => highMs - (highMs - lowMs) * (at / tried) ** power;
  return Array.from({ length: tried }, (_, at) => ({
    ms: (edge(at) + edge(at + 1)) / 2,
    widthMs: edge(at) - edge(at + 1),
  }));
}

/** Boundaries of a clock that goes in steps lie on its steps, and nowhere between; `null` for any other clock. */
function stepsIn(
  { steps }: Observations,
  { bracket: { lowMs, highMs } }: GridClass,
): readonly Place[] | null {
  if (steps === undefined) return null;
  const { stepMs, phase } = steps;
  const count = Math.floor((highMs - phase.lowMs) / stepMs) - Math.ceil((lowMs - phase.lowMs) / stepMs) + 1;
  if (count > stepsMax) return null;
  const firstMs = phase.lowMs + Math.ceil((lowMs - phase.lowMs) / stepMs) * stepMs;
  return Array.from({ length: Math.max(0, count) }, (_, at) => ({
    ms: firstMs + at * stepMs,
    widthMs: stepMs,
  }));
}

/** More steps than these are tried as any other boundaries are. */
const stepsMax = 400;

type Point = ExplainedLimit & { readonly place: Place; readonly window: Span };

/**
 * Every pair of boundary and length that explains the most. Where nothing is explained and nothing else is wanted, only the
 * boundaries that are looked at more closely, since no more is asked of the others.
 */
function collect(subject: GridClass, places: readonly Place[], giveUpAt: number): readonly Point[] {
  const { isHopeless = () => false } = subject;
  const isExplaining = subject.wanted === 'explaining';
  const isAsked = isExplaining && subject.isHopeless !== undefined;
  let credit = isAsked ? creditAtFirst : 0;
  let [fewest, atMost, placesOfThem] = [giveUpAt, giveUpAt, 0];
  let points: Point[] = [];
  const tryAt = (place: Place): void => {
    for (const window of subject.lengths(place.ms)) {
      const explained = subject.explain({ boundaryMs: place.ms, windowMs: middle(window) }, atMost);
      const count = explained.contradictedBy.length;
      if (count > atMost) continue;
      if (count < fewest) [points, placesOfThem] = [[], 0];
      fewest = count;
      atMost = count;
      points.push({ ...explained, place, window });
    }
    if (points.at(-1)?.place !== place) return;
    placesOfThem += 1;
    if (!isExplaining || fewest === 0 || placesOfThem < refinedMax) return;
    atMost = fewest - 1;
    if (isAsked) credit = creditAtFirst;
  };
  const tryAll = (some: readonly Place[]): void => {
    if (credit > 0) {
      if (isHopeless(spanOf(some), atMost)) {
        credit = Math.min(creditMax, credit + some.length);
        return;
      }
      credit -= 1;
    }
    if (some.length > 1) {
      const half = some.length >>> 1;
      tryAll(some.slice(0, half));
      tryAll(some.slice(half));
    } else for (const place of some) tryAt(place);
  };
  for (let from = 0; from < places.length; from += together) tryAll(places.slice(from, from + together));
  return points;
}

/** Boundaries that are asked about together at first. */
const together = 16;

/** Where none can be ruled out so, to ask costs more than to try: it ends after so many questions in vain. */
const creditAtFirst = 8;
const creditMax = 16;

function spanOf(places: readonly Place[]): Span {
  const moments = places.map(({ ms }) => ms);
  return { lowMs: leastOf(moments), highMs: greatestOf(moments) };
}

/** Looks again, more closely, around the boundaries that explain the most. */
function refined(subject: GridClass, coarse: readonly Point[]): readonly Point[] {
  const most = coarse[0]?.contradictedBy.length ?? contradictionsMax;
  if (most > refinedUpTo) return coarse;
  const around = [...new Set(coarse.map(({ place }) => place))].slice(0, refinedMax);
  const closer = around.flatMap(({ ms, widthMs }) =>
    Array.from({ length: refinedEach }, (_, at) => ({
      ms: ms + 2 * widthMs * ((at + 0.5) / refinedEach - 0.5),
      widthMs: (2 * widthMs) / refinedEach,
    })),
  );
  const points = collect(subject, closer, Math.min(most, wantedMax(subject)));
  const fewest = points[0]?.contradictedBy.length ?? most;
  if (most > wantedMax(subject)) return points;
  return fewest < most ? points : [...coarse, ...points];
}

/** With more contradictions than this, another boundary nearby does not help. */
const refinedUpTo = 3;

/** Boundaries that are looked at more closely, and in how many places each. */
const refinedMax = 4;
const refinedEach = 8;

/** The best explanation on the wall clock's grid; `null` where none is in reach. */
export function fitAligned(seen: Observations, subject: GridClass, hints: Hints): Fit | null {
  const points = alignedLengthsMs(hints).flatMap((windowMs) => {
    const boundaryMs = wallBoundaryIn(seen, subject.bracket, windowMs);
    if (boundaryMs === null) return [];
    const explained = subject.explain({ boundaryMs, windowMs }, wantedMax(subject));
    const window = { lowMs: windowMs, highMs: windowMs };
    const plausibility =
      prior.wallClock * windowPlausibility(window, hints) * limitPlausibility(explained.limit, hints);
    return [{ ...explained, place: { ms: boundaryMs, widthMs: 0 }, window, plausibility }];
  });
  const fewest = leastOf(points.map(({ contradictedBy }) => contradictedBy.length));
  if (subject.wanted === 'explaining' && fewest > 0) return null;
  const explained = points.filter(({ contradictedBy }) => contradictedBy.length === fewest);
  const [fit] = summed(subject.wallClock, explained, hints);
  if (fit?.boundary === undefined) return null;
  // That a length is a usual one is likely, not certain: any other that has this boundary explains as much.
  const others = collect(subject, [{ ms: middle(fit.boundary), widthMs: 0 }], fewest).map(
    ({ window }) => window,
  );
  return { ...fit, window: hull([fit.window, ...others]) };
}

/** Windows of a usual length whose grid begins with the first request, and goes on from there. */
function fitBegun(seen: Observations, subject: GridClass, hints: Hints): readonly Fit[] {
  const first = { lowMs: seen.low[0] as number, highMs: seen.high[0] as number };
  if (!Number.isFinite(first.highMs)) return [];
  const points = alignedLengthsMs(hints).flatMap((windowMs) =>
    [...new Set([first.lowMs, middle(first), first.highMs])].flatMap((firstMs) => {
      const times = Math.max(1, Math.ceil((subject.bracket.lowMs - firstMs) / windowMs));
      const boundaryMs = firstMs + times * windowMs;
      if (boundaryMs > subject.bracket.highMs) return [];
      const explained = subject.explain({ boundaryMs, windowMs }, wantedMax(subject));
      const window = { lowMs: windowMs, highMs: windowMs };
      const plausibility =
        subject.begunPrior * windowPlausibility(window, hints) * limitPlausibility(explained.limit, hints);
      return [{ ...explained, place: { ms: boundaryMs, widthMs: 0 }, window, plausibility }];
    }),
  );
  const fewest = leastOf(points.map(({ contradictedBy }) => contradictedBy.length));
  if (subject.wanted === 'explaining' && fewest > 0) return [];
  const best = points.filter(
    ({ window }, at) =>
      points.findIndex((one) => one.window.lowMs === window.lowMs && one.contradictedBy.length === fewest) ===
      at,
  );
  return summed(subject.otherPhase, best, hints);
}

/**
 * Windows of a usual length whose boundary is looked for in narrower and narrower spans of a whole window: each answer of a long
 * trace leaves it less room, down to milliseconds, which none of the boundaries that are tried may meet.
 */
function narrowing(seen: Observations, subject: GridClass, hints: Hints): readonly Point[] {
  const { isHopeless, wanted } = subject;
  if (isHopeless === undefined || wanted !== 'explaining' || seen.count < long.requestsMin) return [];
  const firstMs = seen.low[0] as number;
  return alignedLengthsMs(hints)
    .filter((windowMs) => long.windowsMin * windowMs <= seen.endMs - firstMs)
    .flatMap((windowMs) => {
      const window = { lowMs: windowMs, highMs: windowMs };
      return narrowed({ lowMs: firstMs, highMs: firstMs + windowMs }, (boundary) =>
        isHopeless(boundary, 0, window),
      ).map((place) => ({
        ...subject.explain({ boundaryMs: place.ms, windowMs }, 0),
        ...{ place, window },
      }));
    })
    .filter(({ contradictedBy }) => contradictedBy.length === 0);
}

/** Shorter traces leave a boundary room enough, and so do those of fewer windows. */
const long = { requestsMin: 2_000, windowsMin: 4 } as const;

type Weighed = Point & { readonly plausibility: number };

/** Points that explain equally well as one fit; of several limits, the likeliest. */
function summed(algorithm: Fit['algorithm'], points: readonly Weighed[], hints: Hints): readonly Fit[] {
  const [first, ...others] = points;
  if (first === undefined) return [];
  const best = others.reduce((left, right) => (right.plausibility > left.plausibility ? right : left), first);
  const alike = points.filter(({ limit }) => limit === best.limit);
  return [
    {
      algorithm,
      limit: best.limit,
      window: hull(alike.map(({ window }) => window)),
      lengthMs: likeliestMs(best.window, hints),
      boundary: hull(
        alike.map(({ place: { ms, widthMs } }) => ({ lowMs: ms - widthMs / 2, highMs: ms + widthMs / 2 })),
      ),
      contradictedBy: best.contradictedBy,
      plausibility: points.reduce((sum, { plausibility }) => sum + plausibility, 0),
    },
  ];
}

/** Where a span has no end, a length that is surely longer than anything seen. */
export function middle({ lowMs, highMs }: Span): number {
  return Number.isFinite(highMs) ? (lowMs + highMs) / 2 : lowMs * 2 + 1;
}

function hull(spans: readonly Span[]): Span {
  return {
    lowMs: leastOf(spans.map(({ lowMs }) => lowMs)),
    highMs: greatestOf(spans.map(({ highMs }) => highMs)),
  };
}
