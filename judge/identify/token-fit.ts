import { countBelow, countUpTo } from '../intervals.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { type Demand, isMet, sweepLengths } from './length-sweep.ts';
import type { Observations } from './observations.ts';
import {
  likeliestMs,
  likeliestRate,
  limitPlausibility,
  ratePlausibility,
  windowPlausibility,
} from './plausibility.ts';

/** How much more than the bucket holds a first burst may have admitted, for tokens that dripped into it meanwhile. */
const dripped = { min: 24 } as const;

/** Of those that hold so many fewer, each is tried; of the others only round ones. */
const closely = 24;

/** How usual a bucket is that is given by its rate: with room for one request, and with room for a certain burst. */
const prior = { gap: 0.5, burst: 0.001 } as const;

/**
 * What an admission costs beside its token: nothing, or the part of a token that had dripped in by then (a bucket that
 * adds whole tokens only, and takes the time of the last admission for that of the last drop).
 */
type Remainder = 'kept' | 'lost';

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
  const spans = takenSpans(seen);
  const drippedMax = Math.max(dripped.min, Math.ceil(drippedShare * firstBurst));
  const least = Math.max(1, firstBurst - drippedMax);
  const bursts = Array.from({ length: firstBurst - least + 1 }, (_, at) => least + at).filter(
    (burst) => burst > firstBurst - closely || burst % 10 === 0,
  );
  const demanded = bursts.map((burst) => ({ burst, demands: demandsOf(seen, spans, { burst, remainder }) }));
  const met = demanded.filter(({ demands }) => isMet(demands));
  // Where none explains the trace, it makes little difference which is called the nearest.
  const looked = met.length > 0 ? met : demanded.filter((_, at) => at % Math.ceil(drippedMax / 2) === 0);
  const swept = looked.map(({ burst, demands }) => ({ burst, ...sweepLengths(demands) }));
  const fewest = Math.min(...swept.map(({ contradictedBy }) => contradictedBy.length));
  const best = swept.filter(({ contradictedBy }) => contradictedBy.length === fewest);
  // The fewer tokens have to have dripped in meanwhile, the better.
  const fullness = (burst: number): number => burst / firstBurst;
  return [
    likeliest(best, 'token-bucket', ({ burst, span }) => {
      const window = times(span, burst);
      return {
        limit: burst,
        window,
        lengthMs: likeliestMs(window, hints),
        weight:
          burst < 2
            ? 0
            : fullness(burst) * windowPlausibility(window, hints) * limitPlausibility(burst, hints),
      };
    }),
    likeliest(best, 'leaky-bucket', ({ burst, span }) => ({
      limit: burst,
      window: times(span, burst),
      lengthMs: burst / likeliestRate(1 / span.highMs, 1 / span.lowMs, hints),
      weight:
        ratePlausibility(1 / span.highMs, 1 / span.lowMs, hints) *
        (burst === 1 ? prior.gap : prior.burst) *
        coincidence(seen, burst * span.highMs),
    })),
  ];
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

/** How many were surely admitted from the beginning of one burst to the end of another. */
type Taken = { readonly count: number; readonly spanMs: number; readonly at: number };

/** Of all such spans those that no other makes superfluous, by letting more pass in less time. */
function takenSpans(seen: Observations): readonly Taken[] {
  const shortest = new Map<number, Taken>();
  for (const taken of seen.steps === undefined ? spansOfBursts(seen) : spansOfSteps(seen)) {
    const known = shortest.get(taken.count);
    if (known === undefined || taken.spanMs < known.spanMs) shortest.set(taken.count, taken);
  }
  const front: Taken[] = [];
  for (const taken of [...shortest.values()].sort((left, right) => right.count - left.count)) {
    if (taken.spanMs < (front.at(-1)?.spanMs ?? Number.POSITIVE_INFINITY)) front.push(taken);
  }
  return front;
}

function spansOfBursts({ bursts, low }: Observations): readonly Taken[] {
  return bursts.flatMap(({ highMs, ended }, to) =>
    bursts.slice(0, to + 1).map(({ lowMs, sentBefore }) => ({
      count: ended - sentBefore,
      spanMs: highMs - lowMs,
      at: countBelow(low, highMs) - 1,
    })),
  );
}

/** On a clock that goes in steps one burst touches the next: there each step begins a span, and each ends one. */
function spansOfSteps({ admissions, low }: Observations): readonly Taken[] {
  const ends = stepsOf(admissions.certainHigh);
  return stepsOf(admissions.certainLow).flatMap((lowMs) => {
    const before = countBelow(admissions.certainLow, lowMs);
    return ends
      .filter((highMs) => highMs >= lowMs)
      .map((highMs) => ({
        count: countUpTo(admissions.certainHigh, highMs) - before,
        spanMs: highMs - lowMs,
        at: countBelow(low, highMs) - 1,
      }));
  });
}

function stepsOf(moments: Float64Array): readonly number[] {
  return [...new Set(moments)].slice(0, stepsMax);
}

/** After as many steps the rest shows no more. */
const stepsMax = 300;

type Asked = { readonly burst: number; readonly remainder: Remainder };

/**
 * What the time between two tokens must be, ms, for a bucket that holds `burst` of them. In any span no more is admitted
 * than the bucket held and what dripped in; a refusal needs some span before it in which as much was taken.
 */
function demandsOf(seen: Observations, spans: readonly Taken[], { burst, remainder }: Asked) {
  const { admissions, low, high } = seen;
  const atMost: Demand[] = [];
  for (const { count, spanMs, at } of spans) {
    if (count > burst) atMost.push({ at, ms: spanMs / (count - burst) });
  }
  const lossIn = remainder === 'lost' ? lossesOf(seen) : () => nothingLost;
  const atLeast = seen.refusals.map((at): Demand => {
    const lowMs = low[at] as number;
    const sent = countUpTo(admissions.possibleLow, high[at] as number);
    let leastMs = Number.POSITIVE_INFINITY;
    for (let ended = 0; ended < sent; ended += 1) {
      const fromMs = admissions.possibleHigh[ended] as number;
      const loss = lossIn(fromMs, lowMs);
      const dripped = sent - ended + 1 + loss.tokens - burst;
      if (dripped <= 0) break;
      leastMs = Math.min(leastMs, Math.max(0, lowMs - fromMs - loss.ms) / dripped);
    }
    return { at, ms: leastMs };
  });
  return { atLeast, atMost };
}

/** What admissions within a span cost beside their tokens: parts of tokens, and all that dripped in during rows of them. */
type Loss = { readonly tokens: number; readonly ms: number };

const nothingLost: Loss = { tokens: 0, ms: 0 };

function lossesOf({ rows }: Observations): (fromMs: number, toMs: number) => Loss {
  const lows = Float64Array.from(rows, ({ lowMs }) => lowMs);
  const highs = Float64Array.from(rows, ({ highMs }) => highMs);
  const lengths = [0];
  for (const { lowMs, highMs } of rows) lengths.push((lengths.at(-1) ?? 0) + highMs - lowMs);
  return (fromMs, toMs) => {
    const [first, end] = [countBelow(highs, fromMs), countBelow(lows, toMs)];
    if (end <= first) return nothingLost;
    return { tokens: end - first, ms: (lengths[end] as number) - (lengths[first] as number) };
  };
}
