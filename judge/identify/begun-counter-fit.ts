import { countingAll, explainCountingBuckets } from './counting-bucket-fit.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { alignedLengthsMs } from './grid.ts';
import { type Intervals, inSteps, movedTo, type Observations } from './observations.ts';
import { limitPlausibility, shortestCountedMs, windowPlausibility } from './plausibility.ts';
import { explainTwoBuckets, isShared } from './two-bucket-fit.ts';

/** How usual such counters are, and those by a clock of whole seconds. */
const prior = { exact: 0.5, wholeSeconds: 0.02 } as const;

/** A window later the next one goes on, with the share of the one before; this many later there is none before it. */
const anewAfter = 2;

type Kind = 'two-bucket' | 'two-bucket-counting-rejections';

const kinds = ['two-bucket', 'two-bucket-counting-rejections'] as const satisfies readonly Kind[];

type Asked = { readonly limits: readonly number[]; readonly hints: Hints };

/**
 * Sliding window counters whose windows begin with a request, and begin anew with the first one after a whole window without any
 * (HAProxy's rates). Only where that happened: before, they are like counters of any other phase.
 */
export function fitBegunCounters(
  seen: Observations,
  limits: readonly number[],
  hints: Hints,
): readonly Fit[] {
  return alignedLengthsMs(hints)
    .flatMap((windowMs) => fitsOf(seen, windowMs, { limits, hints }))
    .map((fit) => ({ ...fit, plausibility: prior.exact * fit.plausibility }));
}

/** The same by a clock of whole seconds that goes on at a moment of its own, once a second (Go's Fiber). */
export function fitBegunInSeconds(
  seen: Observations,
  limits: readonly number[],
  hints: Hints,
): readonly Fit[] {
  const lengths = alignedLengthsMs(hints).filter((windowMs) => windowMs >= shortestCountedMs.wholeSeconds);
  return Array.from({ length: phases }, (_, at) => (at * stepMs) / phases)
    .map((lowMs) => inSteps(seen, { stepMs, phase: { lowMs, highMs: lowMs + stepMs / phases } }))
    .flatMap((coarse) => lengths.flatMap((windowMs) => fitsOf(coarse, windowMs, { limits, hints })))
    .map((fit) => ({
      ...fit,
      granularityMs: stepMs,
      plausibility: (prior.wholeSeconds / phases) * fit.plausibility,
    }));
}

const stepMs = 1_000;

/** When the clock goes on is looked for in as many parts of a second. */
const phases = 20;

function fitsOf(seen: Observations, windowMs: number, { limits, hints }: Asked): readonly Fit[] {
  return kinds.flatMap((algorithm) => {
    const aligned = onOneGrid(seen, windowMs, algorithm);
    if (aligned === null) return [];
    const explain = explaining(algorithm, movedTo(seen, aligned), windowMs);
    return limits
      .filter((limit) => isShared(limit) && explain(limit).length === 0)
      .map((limit): Fit => {
        const window = { lowMs: windowMs, highMs: windowMs };
        const plausibility = windowPlausibility(window, hints) * limitPlausibility(limit, hints);
        const fit = { algorithm, limit, window, lengthMs: windowMs, contradictedBy: [], plausibility };
        return algorithm === 'two-bucket' ? fit : { ...fit, rejectionsCount: true };
      });
  });
}

/** What a counter of a limit does not explain, on the grid that begins at 0. */
function explaining(kind: Kind, seen: Observations, windowMs: number): (limit: number) => readonly number[] {
  const asked = kind === 'two-bucket' ? null : countingAll(seen);
  return (limit) => {
    const question = { grid: { boundaryMs: 0, windowMs }, limit, giveUpAt: 0 };
    const { contradictedBy } =
      asked === null ? explainTwoBuckets(seen, question) : explainCountingBuckets(asked, question);
    return contradictedBy;
  };
}

/**
 * The times of a trace as if all its windows lay on one grid that begins at 0: what begins anew is moved, to the beginning of the
 * window after the next. When exactly its first request was decided is not known, and so not how much later the others were
 * either. `null` where nothing begins anew.
 */
function onOneGrid(seen: Observations, windowMs: number, kind: Kind): Intervals | null {
  const { count, low, high, isLimited } = seen;
  const isCounted = (at: number): boolean =>
    kind === 'two-bucket-counting-rejections' || isLimited[at] !== true;
  const moved = { low: new Float64Array(count), high: new Float64Array(count) };
  let begun = { ...spanOf(seen, 0), startMs: 0 };
  let isMoved = false;
  let lastStartMs = 0;
  for (let at = 0; at < count; at += 1) {
    const sinceMs = (low[at] as number) - begun.lowMs;
    let startMs = begun.startMs + Math.floor(sinceMs / windowMs) * windowMs;
    if (startMs >= lastStartMs + anewAfter * windowMs) {
      startMs = lastStartMs + anewAfter * windowMs;
      begun = { ...spanOf(seen, at), startMs };
      isMoved = true;
    }
    if (isCounted(at)) lastStartMs = startMs;
    moved.low[at] = begun.startMs + Math.max(0, (low[at] as number) - begun.highMs);
    moved.high[at] = begun.startMs + (high[at] as number) - begun.lowMs;
  }
  return isMoved ? moved : null;
}

/** When a request was decided. */
function spanOf({ low, high }: Observations, at: number): Span {
  return { lowMs: low[at] as number, highMs: high[at] as number };
}
