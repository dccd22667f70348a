import { countBelow, countUpTo } from '../counting.ts';
import type { Span } from './fit.ts';
import { type Demand, type Demands, isSpan } from './length-sweep.ts';
import type { Burst, Observations } from './observations.ts';
import { onceATrace } from './once-a-trace.ts';
import { leastSlope, type Points, pointsOf } from './steepest.ts';
import { wholeTokensOf } from './whole-tokens.ts';

/**
 * What an admission costs beside its token: nothing, or the part of a token that had dripped in by then (a bucket that
 * adds whole tokens only, and takes the time of the last admission for that of the last drop).
 */
export type Remainder = 'kept' | 'lost';

/**
 * What the time between two tokens must be, ms, for a bucket that holds `burst` of them. In any span no more is admitted
 * than the bucket held and what dripped in; a refusal needs some span before it in which as much was taken.
 */
export function bucketDemands(seen: Observations, burst: number, remainder: Remainder = 'kept'): Demands {
  const atMost: Demand[] = [];
  for (const { count, spanMs, at } of takenSpans(seen).spans) {
    if (count > burst) atMost.push({ at, ms: spanMs / (count - burst) });
  }
  const since = sinceOf(seen, remainder);
  const atLeast = seen.refusals.map((at): Demand => ({ at, ms: Math.max(0, since(at, burst)) }));
  return { atLeast, atMost };
}

/** The longest time between two tokens, ms, with which a bucket of so many lets through what was admitted. */
export function longestGapMs(seen: Observations, burst: number): number {
  const { points } = takenSpans(seen);
  return leastSlope(points, { x: -burst, y: 0, count: points.x.length });
}

/** A size of bucket, and the times between two tokens, ms, with which it explains a trace. */
export type PossibleBurst = { readonly burst: number; readonly span: Span };

/**
 * Those of some sizes of buckets for which one time between two tokens meets all demands. What one refusal rules out, it mostly
 * rules out for the next size too: it is asked first.
 */
export function possibleBursts(
  seen: Observations,
  bursts: readonly number[],
  remainder: Remainder,
): readonly PossibleBurst[] {
  const since = sinceOf(seen, remainder);
  let [telling] = seen.refusals;
  return bursts.flatMap((burst) => {
    const highMs = longestGapMs(seen, burst);
    let lowMs = telling === undefined ? 0 : Math.max(0, since(telling, burst));
    for (const at of seen.refusals) {
      if (!isSpan({ lowMs, highMs })) return [];
      const ms = since(at, burst);
      if (ms > lowMs) [lowMs, telling] = [ms, at];
    }
    const span = { lowMs, highMs };
    return isSpan(span) ? [{ burst, span }] : [];
  });
}

/** How many were surely admitted from the beginning of one burst to the end of another. */
type Taken = { readonly count: number; readonly spanMs: number; readonly at: number };

/** `points`: how many fewer than none, and how much shorter than no time, so that the longest come first. */
type TakenSpans = { readonly spans: readonly Taken[]; readonly points: Points };

/** Of all such spans those that no other makes superfluous, by letting more pass in less time. */
const takenSpans = onceATrace((seen): TakenSpans => {
  const most = seen.admissions.certainLow.length;
  const [shortestMs, ats] = [new Float64Array(most + 1), new Int32Array(most + 1)];
  shortestMs.fill(Number.POSITIVE_INFINITY);
  const look = (count: number, spanMs: number, at: number): void => {
    if (count < 1 || spanMs >= (shortestMs[count] as number)) return;
    shortestMs[count] = spanMs;
    ats[count] = at;
  };
  if (seen.steps === undefined) lookAtBursts(seen, look);
  else lookAtSteps(seen, look);
  const spans: Taken[] = [];
  for (let count = most; count >= 1; count -= 1) {
    const spanMs = shortestMs[count] as number;
    const leastMs = spans.at(-1)?.spanMs ?? Number.POSITIVE_INFINITY;
    if (spanMs < leastMs) spans.push({ count, spanMs, at: ats[count] as number });
  }
  const points = pointsOf(
    Float64Array.from(spans, ({ count }) => -count),
    Float64Array.from(spans, ({ spanMs }) => -spanMs),
  );
  return { spans, points };
});

/** With values, not objects: a trace has millions of such spans. */
type Look = (count: number, spanMs: number, at: number) => void;

/** Of more bursts as many at either end: the first ones show what a full bucket holds, the last ones what came back. */
const burstsMax = 6_000;

function lookAtBursts({ bursts, low }: Observations, look: Look): void {
  const half = burstsMax / 2;
  const looked = bursts.length <= burstsMax ? bursts : [...bursts.slice(0, half), ...bursts.slice(-half)];
  looked.forEach(({ highMs, ended }, to) => {
    const at = countBelow(low, highMs) - 1;
    for (let from = 0; from <= to; from += 1) {
      const { lowMs, sentBefore } = looked[from] as Burst;
      look(ended - sentBefore, highMs - lowMs, at);
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
      look(ended - before, highMs - lowMs, at);
    }
  }
}

function stepsOf(moments: Float64Array): readonly number[] {
  return [...new Set(moments)].slice(0, stepsMax);
}

/** After as many steps the rest shows no more. */
const stepsMax = 300;

/**
 * The least time for each token, ms, that would have to have dripped in by a refusal from the end of some request on: as many as
 * were taken since then, and one more than the bucket held.
 */
type Since = (at: number, burst: number) => number;
type Sinces = { readonly sinceEnd: Since; readonly sinceRow: Since };

function sinceOf(seen: Observations, remainder: Remainder): Since {
  const { sinceEnd, sinceRow } = sincesOf(seen);
  return remainder === 'lost' ? sinceRow : sinceEnd;
}

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
