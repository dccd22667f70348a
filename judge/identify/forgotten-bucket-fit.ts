import { bucketDemands } from './bucket-demands.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { type Demands, isMet, lengthsMeeting } from './length-sweep.ts';
import { type Observations, partOf } from './observations.ts';
import { likeliestMs, limitPlausibility, windowPlausibility } from './plausibility.ts';
import { hullOf } from './spans.ts';

/** A bucket that is forgotten is as usual as this, beside one that is kept until it is full. */
const prior = 0.1;

/** Pauses shorter than this are none, ms. */
const pauseMsMin = 900;

/** So many lengths of pauses are tried, the longest ones, and so many sizes of bucket: tokens drip in while the first burst is sent. */
const pausesMax = 12;
const burstsMax = 8;

/** Pauses that differ by less are alike. */
const alikeShare = 0.995;

/** Where a clock of whole seconds decides, so many of them are tried. */
const secondsMax = 10;

/**
 * Token buckets that are forgotten once nothing was asked for a while, before they are full again (Traefik's rate limiter): each part of the
 * trace after such a pause begins with a full one. Those alone that explain the trace.
 */
export function fitForgottenBuckets(seen: Observations, firstBurst: number, hints: Hints): readonly Fit[] {
  if (seen.steps !== undefined) return [];
  const splits = splitsOf(seen).map(({ after, starts }) => ({
    after,
    parts: starts.map((from, at) => partOf(seen, from, starts[at + 1] ?? seen.count)),
  }));
  return Array.from({ length: burstsMax }, (_, fewer) => firstBurst - fewer).flatMap((burst) => {
    if (burst < 2) return [];
    const refilled = splits.flatMap(({ after, parts }): readonly Refilled[] => {
      const demands = together(parts.map((part) => bucketDemands(part, burst)));
      const each = lengthsMeeting(demands);
      // Where no token was seen to drip in, whoever asks prolongs a block instead.
      return isMet(demands) && Number.isFinite(each.highMs) ? [{ each, after }] : [];
    });
    return refilled.length === 0 ? [] : [fitOf(burst, refilled, hints)];
  });
}

/** The longest pause in a trace, ms. */
export function longestPauseMs(seen: Observations): number {
  return pausesOf(seen).reduce((longest, ms) => Math.max(longest, ms), 0);
}

/** Where a trace is split, and after which pauses. */
type Split = { readonly after: Span; readonly starts: readonly number[] };

/** By the length of a pause, and by whole seconds of the wall clock. */
function splitsOf(seen: Observations): readonly Split[] {
  const pauses = pausesOf(seen);
  const lengths = [...pauses].filter((ms) => ms >= pauseMsMin).sort((left, right) => right - left);
  const unlike = lengths.filter((ms, at) => at === 0 || ms < alikeShare * (lengths[at - 1] as number));
  // Near the turn of a second it is not known in which one the service was asked.
  const clocks = [seen.low, seen.high].map((moments) =>
    moments.map((ms) => Math.floor((seen.originMs + ms) / 1_000)),
  );
  const bySeconds = Array.from({ length: secondsMax }, (_, at) => at + 1).flatMap((seconds) =>
    clocks.map((second) => ({
      after: { lowMs: 1_000 * seconds, highMs: 1_000 * (seconds + 1) },
      starts: startsWhere(seen, (to) => (second[to] as number) - (second[to - 1] as number) > seconds),
    })),
  );
  const splits = [
    ...unlike.slice(0, pausesMax).map((ms, at) => ({
      after: { lowMs: unlike[at + 1] ?? 0, highMs: ms },
      starts: startsWhere(seen, (to) => (pauses[to - 1] as number) >= alikeShare * ms),
    })),
    ...bySeconds,
  ];
  return splits.filter(({ starts }) => starts.length > 1);
}

function startsWhere({ count }: Observations, isSplit: (at: number) => boolean): readonly number[] {
  return Array.from({ length: count }, (_, at) => at).filter((at) => at === 0 || isSplit(at));
}

/** How long nothing was sent before each request but the first, ms. */
function pausesOf({ low }: Observations): readonly number[] {
  return Array.from(low.subarray(1), (ms, at) => ms - (low[at] as number));
}

function together(all: readonly Demands[]): Demands {
  return {
    atLeast: all.flatMap(({ atLeast }) => atLeast),
    atMost: all.flatMap(({ atMost }) => atMost),
  };
}

/** How long a token takes to drip in, where a bucket is forgotten after such pauses. */
type Refilled = { readonly each: Span; readonly after: Span };

/** A bucket of any of those. */
function fitOf(burst: number, refilled: readonly Refilled[], hints: Hints): Fit {
  const each = hullOf(refilled.map((one) => one.each));
  const window = { lowMs: burst * each.lowMs, highMs: burst * each.highMs };
  return {
    algorithm: 'token-bucket',
    limit: burst,
    window,
    lengthMs: likeliestMs(window, hints),
    forgottenAfter: hullOf(refilled.map(({ after }) => after)),
    contradictedBy: [],
    plausibility: prior * windowPlausibility(window, hints) * limitPlausibility(burst, hints),
  };
}
