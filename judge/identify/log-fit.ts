import { bounds } from '../../contract/bounds.ts';
import { countUpTo } from '../counting.ts';
import type { Fit, Hints, Span } from './fit.ts';
import { type Demand, type Demands, isMet, sweepLengths } from './length-sweep.ts';
import { inOrderOfAnswers, type Observations } from './observations.ts';
import { ownPhase } from './own-phase.ts';
import { likeliestMs, limitPlausibility, windowPlausibility } from './plausibility.ts';

/** A log of requests, each of which leaves a window after the end of its sub-window; at once where these have no length. */
export type LogModel = {
  readonly limit: number;
  readonly counts: 'admitted' | 'all';
  readonly subWindow: SubWindow | null;
};

/** Sub-windows that begin so long after the epoch, ms, or up to `uncertainMs` later; absent: exactly then. */
export type SubWindow = {
  readonly lengthMs: number;
  readonly phaseMs: number;
  readonly uncertainMs?: number;
};

/**
 * How usual logs are that are kept request by request, in whole seconds, and in sub-windows of one other length, which are of a
 * short window where they are less than a second; and, of those in sub-windows, ones whose sub-windows begin anywhere, and ones
 * for which rejected requests count.
 */
const prior = {
  exact: 1,
  wholeSeconds: 0.04,
  subWindow: { seconds: 0.02, less: 0.2 },
  ownPhase: 0.3,
  counting: 0.2,
} as const;

/** The lengths of window under which such a log explains the trace. */
export function fitLog(observations: Observations, model: LogModel, hints: Hints): Fit {
  return fitOf(demandsOf(observations, model), model, hints);
}

/** The same, where it contradicts nothing; as a list that is empty otherwise. */
export function explainingLog(observations: Observations, model: LogModel, hints: Hints): readonly Fit[] {
  const demands = demandsOf(observations, model);
  return isMet(demands) ? [fitOf(demands, model, hints)] : [];
}

function demandsOf(observations: Observations, model: LogModel): Demands {
  const leaving = leavingFrom(observations, model);
  const atMost = [
    ...admittedDemands(observations, leaving, model),
    ...(model.counts === 'all' ? countedDemands(observations, leaving, model) : []),
  ];
  return { atLeast: limitedDemands(observations, leaving, model), atMost };
}

function fitOf(demands: Demands, model: LogModel, hints: Hints): Fit {
  const swept = sweepLengths(demands);
  const likelihood = likelihoodOf(swept.span, model, hints);
  return {
    algorithm: algorithmOf(model),
    limit: model.limit,
    window: likelihood.window,
    lengthMs: likelihood.lengthMs,
    ...(model.subWindow === null ? {} : { granularityMs: model.subWindow.lengthMs }),
    rejectionsCount: model.counts === 'all',
    contradictedBy: swept.contradictedBy,
    plausibility: likelihood.weight * limitPlausibility(model.limit, hints),
  };
}

/** How usual it is that the sub-window in progress is one of those that the window is made of. */
const withCurrent = 0.5;

/**
 * The likeliest length in a span, and how plausible it is that the length lies there. A window of sub-windows is a whole
 * number of them, at least two: each such length weighs by itself, and no other can be. Where the sub-window in progress is
 * one of them, the window is called longer by one than what a request stays after its own.
 */
function likelihoodOf(span: Span, { subWindow, counts }: LogModel, hints: Hints) {
  if (subWindow === null)
    return {
      window: span,
      lengthMs: likeliestMs(span, hints),
      weight: prior.exact * windowPlausibility(span, hints),
    };
  const weighed = multiplesIn(span, subWindow.lengthMs).flatMap((ms) =>
    [
      ...(ms === subWindow.lengthMs ? [] : [{ ms, moreMs: 0, share: 1 }]),
      { ms: ms + subWindow.lengthMs, moreMs: subWindow.lengthMs, share: withCurrent },
    ].map(({ share, ...called }) => ({
      ...called,
      weight: share * windowPlausibility({ lowMs: called.ms, highMs: called.ms }, hints),
    })),
  );
  const best = weighed.reduce<(typeof weighed)[number] | null>(
    (left, right) => (left === null || right.weight > left.weight ? right : left),
    null,
  );
  return {
    window: { lowMs: span.lowMs, highMs: span.highMs + (best?.moreMs ?? 0) },
    lengthMs: best?.ms ?? likeliestMs(span, hints),
    weight:
      usualness(subWindow.lengthMs) *
      (counts === 'all' ? prior.counting : 1) *
      (subWindow.uncertainMs === undefined
        ? 1
        : prior.ownPhase * Math.min(1, subWindow.uncertainMs / subWindow.lengthMs)) *
      weighed
        .filter(({ moreMs }) => moreMs === (best?.moreMs ?? 0))
        .reduce((sum, { weight }) => sum + weight, 0),
  };
}

/** How usual sub-windows of a length are. */
function usualness(lengthMs: number): number {
  if (lengthMs === secondMs) return prior.wholeSeconds;
  return lengthMs < secondMs ? prior.subWindow.less : prior.subWindow.seconds;
}

const secondMs = 1_000;

/** More sub-windows than these nobody keeps; and of less than a second, not many. */
const subWindowsMax = { seconds: 3_600, less: 10 } as const;

/** The lengths in a span, by the service's clock, that are whole multiples of a sub-window. */
function multiplesIn({ lowMs, highMs }: Span, subWindowMs: number): readonly number[] {
  const from = Math.max(
    1,
    Math.ceil((lowMs * (1 - bounds.clockRate) - bounds.clockResolutionMs) / subWindowMs),
  );
  const to = Math.min(
    subWindowMs < secondMs ? subWindowsMax.less : subWindowsMax.seconds,
    Math.floor((highMs * (1 + bounds.clockRate) + bounds.clockResolutionMs) / subWindowMs),
  );
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => (from + at) * subWindowMs);
}

function algorithmOf({ counts, subWindow }: LogModel): Fit['algorithm'] {
  if (subWindow !== null) return 'sub-window-log';
  return counts === 'all' ? 'sliding-log-counting-rejections' : 'sliding-log';
}

/** From when on the window of each request runs: its own moment, or the end of the sub-window that it falls into. */
type Leaving = { readonly low: Float64Array; readonly high: Float64Array };

function leavingFrom({ low, high, originMs }: Observations, { subWindow }: LogModel): Leaving {
  if (subWindow === null) return { low, high };
  const { lengthMs, phaseMs, uncertainMs = 0 } = subWindow;
  const offsetMs = (originMs - phaseMs) % lengthMs;
  const end = (ms: number): number => (Math.floor((ms + offsetMs) / lengthMs) + 1) * lengthMs - offsetMs;
  return {
    low: low.map((ms) => end(ms - uncertainMs)),
    high: high.map((ms) => end(ms) + uncertainMs),
  };
}

/**
 * A refusal needs `limit` counted requests that may still have been in the window. Where refusals count too, the n-th of
 * them to be decided had n − 1 before it: it was decided by the n-th answer to one, and not before the n-th was sent.
 */
function limitedDemands(seen: Observations, leaving: Leaving, { limit, counts }: LogModel): Demand[] {
  const inWindow = ranked(seen.count);
  const decisive = new Set(seen.refusals);
  const byHigh = inOrderOfAnswers(seen.high).filter((at) => seen.isLimited[at] === true);
  const lows = counts === 'all' ? Float64Array.from(byHigh, (at) => seen.low[at] as number).sort() : null;
  const demands: Demand[] = [];
  let next = 0;
  let slowestMs = 0;
  byHigh.forEach((at, before) => {
    const high = seen.high[at] as number;
    while ((seen.order.low[next] as number) <= high) {
      if (seen.isLimited[next] !== true) inWindow.add(leaving.high[next] as number);
      next += 1;
    }
    if (decisive.has(at)) {
      const oldest = inWindow.largest(limit);
      const low = (lows === null ? seen.low[at] : lows[before]) as number;
      demands.push({ at, ms: oldest === null ? Number.POSITIVE_INFINITY : low - oldest });
    }
    if (counts === 'admitted') return;
    // Which of those on their way together was decided first is not known: the latest moment of any stands for each.
    slowestMs = Math.max(slowestMs, high - (seen.low[at] as number));
    inWindow.add((leaving.high[at] as number) + slowestMs);
  });
  return demands;
}

/** Of limit + 1 admissions the last had the others before it: the first of them must have left by then. */
function admittedDemands(seen: Observations, leaving: Leaving, { limit }: LogModel): Demand[] {
  const before = ranked(seen.count);
  const demands: Demand[] = [];
  for (const at of inOrderOfAnswers(seen.high)) {
    if (seen.isAdmitted[at] !== true) continue;
    before.add(leaving.low[at] as number);
    const oldest = before.largest(limit + 1);
    if (oldest !== null) demands.push({ at, ms: (seen.high[at] as number) - oldest });
  }
  return demands;
}

/** Where rejections count, an admission had fewer than `limit` requests of any kind surely before it. */
function countedDemands(seen: Observations, leaving: Leaving, { limit }: LogModel): Demand[] {
  const before = ranked(seen.count);
  const decided = inOrderOfAnswers(seen.high).filter(
    (at) => seen.isLimited[at] === true || seen.isAdmitted[at] === true,
  );
  let next = 0;
  const demands: Demand[] = [];
  seen.isAdmitted.forEach((wasAdmitted, at) => {
    if (!wasAdmitted) return;
    while ((seen.high[decided[next] as number] as number) < (seen.order.low[at] as number)) {
      before.add(leaving.low[decided[next] as number] as number);
      next += 1;
    }
    const oldest = before.largest(limit);
    if (oldest !== null) demands.push({ at, ms: (seen.high[at] as number) - oldest });
  });
  return demands;
}

/** Lengths of sub-window that are in use; the grid is the wall clock's. */
const subWindowsMs = [500, 1_000, 2_000, 5_000, 6_000, 10_000, 12_000, 15_000, 20_000, 30_000] as const;

/** All logs that a limit admits of: exact ones, and ones in sub-windows. */
export function logModels(limit: number): readonly LogModel[] {
  return [
    { limit, counts: 'admitted', subWindow: null },
    { limit, counts: 'all', subWindow: null },
    ...subWindowsMs.map(
      (lengthMs): LogModel => ({ limit, counts: 'admitted', subWindow: { lengthMs, phaseMs: 0 } }),
    ),
  ];
}

/** Lengths of sub-window beside those: a tenth, an eighth, a sixth or a fifth of a usual window that is no whole number of seconds. */
const seldomSubWindowsMs = [3_000, 4_500, 7_500, 9_000] as const;

/**
 * Logs in sub-windows that began when the service made the limiter: where they lie is seen from when capacity came back. And
 * those of the wall clock whose length is a seldom one.
 */
export function ownPhaseLogs(seen: Observations, limit: number): readonly LogModel[] {
  const own = [...subWindowsMs, ...seldomSubWindowsMs].flatMap((lengthMs) =>
    ownPhase(seen, lengthMs).map(({ lowMs, highMs }) => ({
      lengthMs,
      phaseMs: seen.originMs + lowMs,
      uncertainMs: highMs - lowMs,
    })),
  );
  const seldom = seldomSubWindowsMs.map((lengthMs) => ({ lengthMs, phaseMs: 0 }));
  return [...own, ...seldom].flatMap((subWindow): readonly LogModel[] => [
    { limit, counts: 'admitted', subWindow },
    { limit, counts: 'all', subWindow },
  ]);
}

/** A growing set of numbers that knows its n-th largest. */
type Ranked = {
  readonly add: (value: number) => void;
  /** The n-th largest, counted from 1; `null` where there are fewer. */
  readonly largest: (n: number) => number | null;
};

function ranked(capacity: number): Ranked {
  const ascending = new Float64Array(capacity);
  let count = 0;
  return {
    add: (value) => {
      // Most come in their order.
      if (count > 0 && value < (ascending[count - 1] as number)) {
        const at = countUpTo(ascending, value, count);
        ascending.copyWithin(at + 1, at, count);
        ascending[at] = value;
      } else ascending[count] = value;
      count += 1;
    },
    largest: (n) => (n > count ? null : (ascending[count - n] as number)),
  };
}
