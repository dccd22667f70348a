import { countBelow } from '../counting.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { alignedLengthsMs, cellStart, type ExplainedLimit, type Grid } from './grid.ts';
import { type Burst, certainIn, endedIn, type Observations } from './observations.ts';
import { limitPlausibility, windowPlausibility } from './plausibility.ts';
import { contradicting } from './telling-first.ts';
import { placesOf } from './two-bucket-fit.ts';

/** How many parts of a window are counted each by itself, where it is not one. */
const partsTried = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 60] as const;

/** Nobody counts in shorter parts, ms: a log does as well then. */
const partMsMin = 500;

/** How usual such counters are, beside those of one window and the one before; and where they do not begin with the wall clock. */
const prior = { parted: 0.02, otherPhase: 0.3 } as const;

/** Boundaries that are tried within a part, where they are not those of the wall clock. */
const phasesTried = 24;

/** Those with no more contradictions than these are looked at more closely, the nearest few of them. */
const unexplainedMax = 12;
const nearestMax = 6;

/** Where around them, in steps from one to the next. */
const closely = [-0.4, -0.2, 0, 0.2, 0.4] as const;

/**
 * The sliding window counter of more than two counts: one for each part of a window, of which the oldest is weighted by how much
 * of it the rolling window still overlaps.
 */
export function fitPartedCounters(seen: Observations, limit: number, hints: Hints): readonly Fit[] {
  if (limit < 2) return [];
  const explaining = alignedLengthsMs(hints).flatMap((windowMs) =>
    partsTried
      .filter((parts) => windowMs >= parts * partMsMin)
      .flatMap((parts) => partedFits(seen, { windowMs, parts, limit }, hints)),
  );
  const [best] = [...explaining].sort((left, right) => right.plausibility - left.plausibility);
  return best === undefined ? [] : [best];
}

type Counter = { readonly windowMs: number; readonly parts: number; readonly limit: number };

/** Those that contradict nothing, of one length and number of parts: with the wall clock, or with any other phase. */
function partedFits(seen: Observations, counter: Counter, hints: Hints): readonly Fit[] {
  const { windowMs, parts, limit } = counter;
  const partMs = windowMs / parts;
  const unexplained = (boundaryMs: number, giveUpAt: number): number =>
    explainParted(seen, { ...counter, boundaryMs, giveUpAt }).contradictedBy.length;
  const explains = (boundaryMs: number): boolean => unexplained(boundaryMs, 0) === 0;
  const weight = prior.parted * windowPlausibility({ lowMs: windowMs, highMs: windowMs }, hints);
  const explained = (boundaryMs: number, share: number): Fit => ({
    algorithm: 'two-bucket',
    limit,
    window: { lowMs: windowMs, highMs: windowMs },
    lengthMs: windowMs,
    boundary: lastBefore({ boundaryMs, windowMs }, seen.low[0] as number),
    granularityMs: partMs,
    contradictedBy: [],
    plausibility: share * weight * limitPlausibility(limit, hints),
  });
  const wallMs = -seen.originMs;
  if (explains(wallMs)) return [explained(wallMs, 1)];
  const stepMs = partMs / phasesTried;
  const nearest = Array.from({ length: phasesTried }, (_, at) => (at + 0.5) * stepMs)
    .map((ms) => ({ ms, count: unexplained(ms, unexplainedMax) }))
    .filter(({ count }) => count <= unexplainedMax)
    .sort((left, right) => left.count - right.count)
    .slice(0, nearestMax);
  const closer = nearest.flatMap(({ ms }) => closely.map((share) => ms + share * stepMs));
  const [first, ...others] = closer.filter(explains);
  const share = (1 + others.length) / (closely.length * phasesTried);
  return first === undefined ? [] : [explained(first, prior.otherPhase * share)];
}

/** The last boundary of a grid before a moment, as a span. */
function lastBefore(grid: Grid, ms: number): Span {
  const startMs = cellStart(grid, ms);
  return { lowMs: startMs, highMs: startMs };
}

type Question = Counter & { readonly boundaryMs: number; readonly giveUpAt: number };

/**
 * The exchanges that such a counter does not explain, by position; it may stop at more than `giveUpAt`. What it stands at only
 * falls while no request comes, so that no moment of a request says more than its first for a refusal, and its last for an admission.
 */
export function explainParted(
  seen: Observations,
  { windowMs, parts, limit, boundaryMs, giveUpAt }: Question,
): ExplainedLimit {
  const grid: Grid = { boundaryMs, windowMs: windowMs / parts };
  const { admissions, bursts, low } = seen;
  const mostAt = (at: number): number => {
    const { fromMs, wholeMs, share } = rollingAt(grid, parts, low[at] as number);
    const whole = (seen.sentBy[at] as number) - admissions.endedBefore(wholeMs);
    return whole + share * endedIn(admissions, fromMs, wholeMs);
  };
  const leastAt = ({ highMs, ended, sentBefore }: Burst): number => {
    if (ended <= sentBefore) return 0;
    const { fromMs, wholeMs, share } = rollingAt(grid, parts, highMs);
    const whole = ended - 1 - admissions.surelySentBefore(wholeMs);
    return whole + share * certainIn(admissions, fromMs, wholeMs);
  };
  const limited = contradicting(seen.refusals, {
    isContradicted: (at) => mostAt(at) <= limit - 1,
    giveUpAt,
  });
  const admitted = contradicting(placesOf(bursts), {
    isContradicted: (place) => leastAt(bursts[place] as Burst) >= limit,
    giveUpAt: giveUpAt - limited.length,
  }).map((place) => countBelow(low, (bursts[place] as Burst).highMs) - 1);
  return { limit, contradictedBy: [...limited, ...admitted] };
}

/** The rolling window at a moment: where the part begins that counts by a share alone, and where those begin that count in whole. */
function rollingAt(grid: Grid, parts: number, ms: number) {
  const startMs = cellStart(grid, ms);
  const fromMs = startMs - parts * grid.windowMs;
  return { fromMs, wholeMs: fromMs + grid.windowMs, share: 1 - (ms - startMs) / grid.windowMs };
}
