import { bucketDemands, type PossibleBurst, possibleBursts, type Remainder } from './bucket-demands.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { sweepLengths } from './length-sweep.ts';
import type { Observations } from './observations.ts';
import { onceATrace } from './once-a-trace.ts';
import {
  likeliestMs,
  likeliestRate,
  limitPlausibility,
  ratePlausibility,
  windowPlausibility,
} from './plausibility.ts';

/** How much more than the bucket holds a first burst may have admitted, for tokens that dripped into it meanwhile. */
const dripped = { min: 24 } as const;

/** Of those that hold so many fewer, each is tried; of the others only round ones, and those that let one more pass. */
const closely = 24;
const roundly = { of: [5, 64], more: { of: 10, by: 1 }, upTo: 10_000 } as const;

/** Where any size is as likely, each up to this is tried too. */
const smallMax = 2_000;

/** A first burst of a round number is hardly that of a bucket of another size, which happened to gain as many tokens. */
const roundBurst = { of: 10, share: 0.1 } as const;

/**
 * How usual a bucket is that is given by its rate: with room for one request; with room for a certain burst, of which up to `alike` are
 * as usual as each other; and where steady pressure shows nothing but that room and the rate, with room for any. Under it, what other
 * limiters let through looks like one of some odd size.
 */
const prior = { gap: 0.5, burst: { each: 0.001, alike: 500 }, gradual: 0.02 } as const;

/** How tokens come, and which share of a first burst may have come during it. */
type Dripping = { readonly remainder: Remainder; readonly drippedShare: number };

const dripping: Dripping = { remainder: 'kept', drippedShare: 0.5 };

/** Buckets into which tokens drip, evenly: one whose burst is a window's limit, and one that is given by its rate. */
export function fitBuckets(
  seen: Observations,
  firstBurst: number,
  hints: Hints,
  { remainder, drippedShare }: Dripping = dripping,
): readonly Fit[] {
  const drippedMax = Math.max(dripped.min, Math.ceil(drippedShare * firstBurst));
  const sizes = isGradual(seen)
    ? sizesOfAll(firstBurst)
    : sizesBetween(Math.max(1, firstBurst - drippedMax), firstBurst);
  const weights = isGradual(seen) ? gradualWeights(hints) : burstWeights(firstBurst, hints);
  const met = possibleBursts(seen, sizes, remainder);
  const fits = met.length === 0 ? [] : fitsOf(seen, met.map(explaining), weights);
  if (fits.some(({ plausibility }) => plausibility >= weights.least)) return fits;
  // Where none explains the trace, the largest is called the nearest.
  const nearest = { burst: firstBurst, ...sweepLengths(bucketDemands(seen, firstBurst, remainder)) };
  return fitsOf(seen, [nearest], weights);
}

/** How usual a bucket is of such a size. */
type Weights = {
  readonly hints: Hints;
  /** One whose size is a window's limit. */
  readonly ofLimit: (size: number) => number;
  /** One that is given by its rate, and has room for more than one; and what is expected of that rate. */
  readonly ofBurst: (size: number) => number;
  readonly rateHints: Hints;
  /** The likeliest of them, and all that it stands for. */
  readonly asFound: (size: number) => number;
  /** Less likely ones were set by nobody. */
  readonly least: number;
};

/** Where a burst met the bucket: the fewer tokens have to have dripped in meanwhile, the better. */
function burstWeights(firstBurst: number, hints: Hints): Weights {
  const isRound = firstBurst % roundBurst.of === 0;
  const each = prior.burst.each * Math.min(1, prior.burst.alike / firstBurst);
  return {
    ...{ hints, rateHints: hints, least: 0 },
    ofLimit: (size) => (size / firstBurst) * limitPlausibility(size, hints),
    ofBurst: () => each,
    asFound: (size) => (isRound && size !== firstBurst ? roundBurst.share : 1),
  };
}

/** Where requests came hardly faster than tokens any size is as likely, and the rate that passes is that of any limiter. */
function gradualWeights(hints: Hints): Weights {
  return {
    ...{ hints, rateHints: {}, least: gradualMin },
    ofLimit: (size) => limitPlausibility(size, hints),
    ofBurst: (size) => prior.gradual * limitPlausibility(size, hints),
    asFound: () => 1,
  };
}

function explaining(possible: PossibleBurst): Bucket {
  return { ...possible, contradictedBy: [] };
}

function rateWeight({ lowMs, highMs }: Span, hints: Hints): number {
  return ratePlausibility(1 / highMs, 1 / lowMs, hints);
}

/** Sizes of buckets from one on up to that of a first burst: each of those that are close to it, and of the others round ones. */
function sizesBetween(least: number, firstBurst: number): readonly number[] {
  // What passes ten thousand times is round in other places.
  const scale = Math.max(1, 10 ** Math.floor(Math.log10(firstBurst / roundly.upTo) + 1));
  return Array.from({ length: Math.max(0, firstBurst - least + 1) }, (_, at) => least + at).filter(
    (size) =>
      size > firstBurst - closely ||
      roundly.of.some((unit) => size % (unit * scale) === 0) ||
      size % (roundly.more.of * scale) === roundly.more.by,
  );
}

/** Any size up to that of a first burst: each of the small ones, and of the others the same. */
function sizesOfAll(firstBurst: number): readonly number[] {
  const small = Array.from({ length: Math.min(smallMax, firstBurst) }, (_, at) => at + 1);
  return [...small, ...sizesBetween(small.length + 1, firstBurst)];
}

/**
 * Whether requests came hardly faster than tokens before the first refusal, so that far more may have dripped in than the bucket
 * holds, and not in one burst.
 */
function isGradual({ low, refusals, rows }: Observations): boolean {
  const refusedMs = low[refusals[0] as number] as number;
  const isParted = (rows[gradual.rows]?.lowMs ?? refusedMs) < refusedMs;
  return refusedMs >= (isParted ? gradual.partedMs : gradual.ms);
}

/** No burst takes so long; and none with so many pauses takes even this long. */
const gradual = { ms: 5_000, partedMs: 2_000, rows: 10 } as const;

/** A bucket that is less likely than this was set by nobody. */
const gradualMin = 1e-5;

function fitsOf(seen: Observations, best: readonly Bucket[], weights: Weights): readonly Fit[] {
  const { hints, rateHints, ofLimit, ofBurst, asFound } = weights;
  const buckets = [
    likeliest(best, 'token-bucket', ({ burst, span }) => {
      const window = times(span, burst);
      return {
        limit: burst,
        window,
        lengthMs: likeliestMs(window, hints),
        weight: burst < 2 ? 0 : ofLimit(burst) * windowPlausibility(window, hints),
      };
    }),
    likeliest(best, 'leaky-bucket', ({ burst, span }) => ({
      limit: burst,
      window: times(span, burst),
      lengthMs: burst / likeliestRate(1 / span.highMs, 1 / span.lowMs, hints),
      weight:
        burst === 1
          ? gapWeight(seen, span, hints)
          : ofBurst(burst) * rateWeight(span, rateHints) * coincidence(seen, burst * span.highMs),
    })),
  ];
  return buckets.map((fit) => ({ ...fit, plausibility: asFound(fit.limit) * fit.plausibility }));
}

function gapWeight(seen: Observations, span: Span, hints: Hints): number {
  const mean = meanOver(span, (gapMs) => coincidence(seen, gapMs) * spacing(seen, gapMs));
  return prior.gap * rateWeight(span, hints) * mean;
}

/**
 * How likely all refusals are where what was let through is back after `backMs`: where that is a good deal less than answers
 * take, each of them must have come just after others that were on their way with it.
 */
function coincidence({ refusals, low, high }: Observations, backMs: number): number {
  return refusals.reduce((product, at) => {
    const uncertainMs = (high[at] as number) - (low[at] as number);
    return product * Math.min(1, (together * backMs) / uncertainMs);
  }, 1);
}

/** Requests that a refused one may have come just after, on the whole. */
const together = 2;

/** So many lengths of a gap stand for all of a span. */
const gapsTried = 8;

function meanOver({ lowMs, highMs }: Span, weightOf: (gapMs: number) => number): number {
  const longestMs = Number.isFinite(highMs) ? highMs : lowMs;
  const weights = Array.from({ length: gapsTried }, (_, at) =>
    weightOf(lowMs + ((longestMs - lowMs) * (at + 0.5)) / gapsTried),
  );
  return weights.reduce((sum, weight) => sum + weight, 0) / gapsTried;
}

/**
 * How likely all that were sent together are to have passed one gap after the other: as likely as so many moments within the
 * time that their answers took are that far apart from each other.
 */
function spacing(seen: Observations, gapMs: number): number {
  return togetherOf(seen).reduce(
    (product, { count, spanMs }) => product * Math.max(0, 1 - ((count - 1) * gapMs) / spanMs) ** count,
    1,
  );
}

type Together = { readonly count: number; readonly spanMs: number };

/** Requests that were sent within this time were sent together, ms. */
const togetherMs = 2;

/** Admitted requests that were sent together: how many, and in which time the last of them was answered. None on a clock that goes in steps. */
const togetherOf = onceATrace(({ low, high, isAdmitted, steps }: Observations): readonly Together[] => {
  if (steps !== undefined) return [];
  const groups: { fromMs: number; count: number; untilMs: number }[] = [];
  low.forEach((lowMs, at) => {
    if (isAdmitted[at] !== true) return;
    const last = groups.at(-1);
    const highMs = high[at] as number;
    if (last === undefined || lowMs > last.fromMs + togetherMs)
      groups.push({ fromMs: lowMs, count: 1, untilMs: highMs });
    else Object.assign(last, { count: last.count + 1, untilMs: Math.max(last.untilMs, highMs) });
  });
  return groups
    .filter(({ count }) => count > 1)
    .map(({ fromMs, count, untilMs }) => ({ count, spanMs: untilMs - fromMs }));
});

type Bucket = { readonly burst: number; readonly span: Span; readonly contradictedBy: readonly number[] };
type Weighed = {
  readonly limit: number;
  readonly window: Span;
  readonly lengthMs: number;
  readonly weight: number;
};

function likeliest(
  buckets: readonly Bucket[],
  algorithm: Fit['algorithm'],
  weigh: (bucket: Bucket) => Weighed,
): Fit {
  const weighed = buckets.map((bucket) => ({ ...weigh(bucket), contradictedBy: bucket.contradictedBy }));
  const best = weighed.reduce((left, right) => (right.weight > left.weight ? right : left));
  return {
    algorithm,
    limit: best.limit,
    window: best.window,
    lengthMs: best.lengthMs,
    contradictedBy: best.contradictedBy,
    plausibility: weighed.reduce((sum, { weight }) => sum + weight, 0),
  };
}

function times({ lowMs, highMs }: Span, factor: number): Span {
  return { lowMs: lowMs * factor, highMs: highMs * factor };
}
