import { countBelow, countUpTo } from '../counting.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { type Demand, type Demands, isMet, sweepLengths } from './length-sweep.ts';
import type { Burst, Observations } from './observations.ts';
import {
  likeliestMs,
  likeliestRate,
  limitPlausibility,
  ratePlausibility,
  windowPlausibility,
} from './plausibility.ts';
import { leastSlope, pointsOf } from './steepest.ts';
import { wholeTokensOf } from './whole-tokens.ts';

/** How much more than the bucket holds a first burst may have admitted, for tokens that dripped into it meanwhile. */
const dripped = { min: 24 } as const;

/** Of those that hold so many fewer, each is tried; of the others only round ones, and those that let one more pass. */
const closely = 24;
const roundly = { of: [5, 64], more: { of: 10, by: 1 } } as const;

/** A first burst of a round number is hardly that of a bucket of another size, which happened to gain as many tokens. */
const roundBurst = { of: 10, share: 0.1 } as const;

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
    (burst) =>
      burst > firstBurst - closely ||
      roundly.of.some((size) => burst % size === 0) ||
      burst % roundly.more.of === roundly.more.by,
  );
  const demanded = bursts.map((burst) => ({ burst, demands: demandsOf(seen, spans, { burst, remainder }) }));
  const met = demanded.filter(({ demands }) => isMet(demands));
  // Where none explains the trace, the largest is called the nearest.
  const looked = met.length > 0 ? met : demanded.slice(-1);
  const best = looked.map(({ burst, demands }) => ({ burst, ...sweepLengths(demands) }));
  // The fewer tokens have to have dripped in meanwhile, the better.
  const fullness = (burst: number): number => burst / firstBurst;
  const isRound = firstBurst % roundBurst.of === 0;
  const gained = ({ limit }: Fit): number => (isRound && limit !== firstBurst ? roundBurst.share : 1);
  const buckets = [
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
        (burst === 1
          ? prior.gap * meanOver(span, (gapMs) => coincidence(seen, gapMs) * spacing(seen, gapMs))
          : prior.burst * coincidence(seen, burst * span.highMs)),
    })),
  ];
  return buckets.map((fit) => ({ ...fit, plausibility: gained(fit) * fit.plausibility }));
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

/** What the time between two tokens must be, ms, for a bucket into which tokens drip and that holds `burst` of them. */
export function bucketDemands(seen: Observations, burst: number): Demands {
  return demandsOf(seen, takenSpans(seen), { burst, remainder: 'kept' });
}

/** How many were surely admitted from the beginning of one burst to the end of another. */
type Taken = { readonly count: number; readonly spanMs: number; readonly at: number };

/** Of all such spans those that no other makes superfluous, by letting more pass in less time. */
const takenSpans = onceATrace((seen): readonly Taken[] => {
  const shortest = new Map<number, Taken>();
  const look = (taken: Taken): void => {
    const known = shortest.get(taken.count);
    if (known === undefined || taken.spanMs < known.spanMs) shortest.set(taken.count, taken);
  };
  if (seen.steps === undefined) lookAtBursts(seen, look);
  else lookAtSteps(seen, look);
  const front: Taken[] = [];
  for (const taken of [...shortest.values()].sort((left, right) => right.count - left.count)) {
    if (taken.spanMs < (front.at(-1)?.spanMs ?? Number.POSITIVE_INFINITY)) front.push(taken);
  }
  return front;
});

type Look = (taken: Taken) => void;

/** So many bursts show as much as more of them: the last ones, since a trace goes on from its first refusal. */
const burstsMax = 2_000;

function lookAtBursts({ bursts, low }: Observations, look: Look): void {
  const looked = bursts.slice(-burstsMax);
  looked.forEach(({ highMs, ended }, to) => {
    const at = countBelow(low, highMs) - 1;
    for (let from = 0; from <= to; from += 1) {
      const { lowMs, sentBefore } = looked[from] as Burst;
      look({ count: ended - sentBefore, spanMs: highMs - lowMs, at });
    }
  });
}

/** On a clock that goes in steps one burst touches the next: there each step begins a span, and each ends one. */
function lookAtSteps({ admissions, low }: Observations, look: Look): void {
  const ends = stepsOf(admissions.certainHigh).map((highMs) => ({
    highMs,
    ended: countUpTo(admissions.certainHigh, highMs),
    at: countUpTo(low, highMs) - 1,
  }));
  for (const lowMs of stepsOf(admissions.certainLow)) {
    const before = countBelow(admissions.certainLow, lowMs);
    for (const { highMs, ended, at } of ends) {
      look({ count: ended - before, spanMs: highMs - lowMs, at });
    }
  }
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
function demandsOf(seen: Observations, spans: readonly Taken[], { burst, remainder }: Asked): Demands {
  const atMost: Demand[] = [];
  for (const { count, spanMs, at } of spans) {
    if (count > burst) atMost.push({ at, ms: spanMs / (count - burst) });
  }
  const { sinceEnd, sinceRow } = sincesOf(seen);
  const since = remainder === 'lost' ? sinceRow : sinceEnd;
  const atLeast = seen.refusals.map((at): Demand => ({ at, ms: Math.max(0, since(at, burst)) }));
  return { atLeast, atMost };
}

/**
 * The least time for each token, ms, that would have to have dripped in by a refusal from the end of some request on: as many as
 * were taken since then, and one more than the bucket held.
 */
type Since = (at: number, burst: number) => number;
type Sinces = { readonly sinceEnd: Since; readonly sinceRow: Since };

const sincesOf = onceATrace((seen: Observations): Sinces => {
  const { admissions, low, high, rows, steps } = seen;
  // One without an answer may be decided at any time from its sending on: after that nothing has to have dripped in.
  const ends = admissions.possibleHigh;
  const places = ends.map((_, at) => at);
  // A token that is due at a step is there at that step: what was refused then was due later.
  const laterMs = steps === undefined ? 0 : instantMs;
  const sent = Float64Array.from(low, (_, at) => countUpTo(admissions.possibleLow, high[at] as number));
  const plain = pointsOf(places, ends);
  const sinceEnd: Since = (at, burst) => {
    const taken = (sent[at] as number) + 1 - burst;
    return leastSlope(plain, { x: taken, y: (low[at] as number) + laterMs, count: taken });
  };
  const lossy = rowsOf(rows, ends);
  const whole = wholeTokensOf(seen, sent);
  const sinceRow: Since = (at, burst) => Math.max(whole(at), sinceSome(at, burst));
  const sinceSome: Since = (at, burst) => {
    const [taken, lowMs] = [(sent[at] as number) + 1 - burst, low[at] as number];
    const begun = countBelow(lossy.lows, lowMs);
    const before = countBelow(lossy.ended, begun);
    // What ended after all rows that had begun by then ended after the refusal was sent.
    if (taken > before) return 0;
    return leastSlope(lossy.points, {
      x: taken + begun,
      y: lowMs - (lossy.lengths[begun] as number),
      count: before,
    });
  };
  return { sinceEnd, sinceRow };
});

/**
 * The same trace is asked about for each size of bucket, and with some of its refusals taken out: what was admitted in it stays
 * the same.
 */
function onceATrace<Value>(compute: (seen: Observations) => Value): (seen: Observations) => Value {
  const memory = new WeakMap<Observations['admissions'], Value>();
  return (seen) => {
    const known = memory.get(seen.admissions) ?? compute(seen);
    memory.set(seen.admissions, known);
    return known;
  };
}

/** Less than any two steps can differ by in what they leave of a token, ms. */
const instantMs = 0.5;

/**
 * What admissions cost beside their tokens where parts of tokens are lost: a token for each row of them, and all that dripped in
 * during it. By request, in the order of ending: how many rows had ended before its end.
 */
function rowsOf(rows: Observations['rows'], ends: Float64Array) {
  const lengths = [0];
  for (const { lowMs, highMs } of rows) lengths.push((lengths.at(-1) ?? 0) + highMs - lowMs);
  const highs = Float64Array.from(rows, ({ highMs }) => highMs);
  const ended = ends.map((ms) => countBelow(highs, ms));
  return {
    lows: Float64Array.from(rows, ({ lowMs }) => lowMs),
    lengths,
    ended,
    points: pointsOf(
      ended.map((count, at) => count + at),
      ends.map((ms, at) => ms - (lengths[ended[at] as number] as number)),
    ),
  };
}
