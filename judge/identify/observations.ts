import { bounds } from '../../contract/bounds.ts';
import { once } from '../../contract/once.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { ascending, countBelow, countingAlong, countsBelow, countUpTo } from '../counting.ts';
import type { Span } from './fit.ts';

/** One request of one key to one endpoint, as any client of any HTTP service can see it. */
export type ObservedRequest = {
  /** When it was sent, ms by any one clock. */
  readonly sentMs: number;
  /** When its answer had come, ms by the same clock; `null` where none came. */
  readonly receivedMs: number | null;
  /**
   * `admitted`: served; `limited`: refused by the limiter; `refused`: failed in another way, so that it may have counted;
   * `indeterminate`: no answer.
   */
  readonly outcome: Outcome;
};

/**
 * The requests of one trace in the order in which they were sent. The limiter decided each of them somewhere in
 * `[low, high]`: ms since the first was sent, infinite where no answer came.
 */
export type Observations = {
  readonly count: number;
  /** The moment of 0, ms since the Unix epoch by the client's clock. */
  readonly originMs: number;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly isLimited: readonly boolean[];
  readonly isAdmitted: readonly boolean[];
  /** Positions of all refusals, ascending. */
  readonly limited: readonly number[];
  /** Those of them that decide: the first and the last of each unbroken row of them. */
  readonly refusals: readonly number[];
  /** How many admissions there may have been, and surely were, in a span. */
  readonly admissions: Tally;
  /** By position: how many that may have counted were sent before its answer came. */
  readonly sentBy: Float64Array;
  /** By position: how many that surely counted had been answered before it was sent. */
  readonly answeredBefore: Float64Array;
  /** The times by an exact clock, which say what was decided before what. */
  readonly order: Order;
  /** Unbroken rows of requests that may have counted, ascending: from the first sent to the last answered. */
  readonly bursts: readonly Burst[];
  /** Bursts that follow each other without a pause, as one. */
  readonly rows: readonly Span[];
  /** When the last answer had come. */
  readonly endMs: number;
  /**
   * On a clock that goes in steps requests do come at the very end of a window, which belongs to the next one: a window
   * is shorter by this, ms. 0 on any other clock.
   */
  readonly openEndMs: number;
  /** How that clock goes on; absent where it does not go in steps. */
  readonly steps?: Steps;
};

/** An unbroken row. `ended`: surely admitted by its end. `sentBefore`: surely admitted, and sent before it began. */
export type Burst = Span & { readonly ended: number; readonly sentBefore: number };

/** A limiter that truncates its clock to whole milliseconds puts a request up to one of them earlier. */
export const truncationMs = bounds.clockResolutionMs;

/** @throws where the trace is empty. */
export function observe(trace: readonly ObservedRequest[]): Observations {
  const sorted = [...trace].sort((left, right) => left.sentMs - right.sentMs);
  const [first] = sorted;
  if (first === undefined) throw new Error('a trace without a request cannot be identified');
  const originMs = first.sentMs;
  const [low, high] = [new Float64Array(sorted.length), new Float64Array(sorted.length)];
  sorted.forEach(({ sentMs, receivedMs }, at) => {
    low[at] = sentMs - originMs;
    high[at] = (receivedMs ?? Number.POSITIVE_INFINITY) - originMs;
  });
  const isLimited = sorted.map(({ outcome }) => outcome === 'limited');
  const isAdmitted = sorted.map(({ outcome }) => outcome === 'admitted');
  const order = { low, high, ...decidedIn({ low, high }, admittedIn({ isLimited, isAdmitted })) };
  return observationsOf(
    { originMs, low: low.map((ms) => ms - truncationMs), high, isLimited, isAdmitted },
    { burstGapMs: -overlapMs, openEndMs: 0, order },
  );
}

/** What was sent once an answer had come was decided after it, whatever the service's clock says. */
type Order = Intervals & Decided;

/** Where admissions alone count, how many of them were decided by then. */
type Decided = Pick<Observations, 'sentBy' | 'answeredBefore'>;

/** Where a service's wall clock may stand against ours, ms, and its boundaries still count as the wall clock's. */
export const wallClockMs = 25;

/**
 * The same trace as a limiter sees it whose wall clock has whole seconds only: each request at the beginning of its own.
 * A clock that is set by a timer (Go's Fiber) may be behind by up to `lagMs`.
 */
export function inWholeSeconds(seen: Observations, lagMs = 0): Observations {
  const phase = { lowMs: -seen.originMs, highMs: -seen.originMs };
  return inSteps(seen, { stepMs: 1_000, phase, lagMs });
}

/** How a clock goes on: at each `stepMs` after some moment within `phase`, ms on the observations' scale. */
export type Steps = { readonly stepMs: number; readonly phase: Span; readonly lagMs?: number };

/** The same trace as a limiter sees it whose clock goes on in steps: each request at the beginning of its own. */
export function inSteps(seen: Observations, steps: Steps): Observations {
  const { stepMs, phase, lagMs = 0 } = steps;
  const { originMs, low, high, isLimited, isAdmitted } = seen;
  const startOf = (ms: number, phaseMs: number): number =>
    phase.lowMs + Math.floor((ms - phaseMs) / stepMs) * stepMs;
  return observationsOf(
    {
      originMs,
      low: low.map((ms) => startOf(ms - wallClockMs - lagMs, phase.highMs)),
      high: high.map((ms) => startOf(ms + wallClockMs, phase.lowMs)),
      isLimited,
      isAdmitted,
    },
    // Whatever its clock says, it decides in the order of time.
    { burstGapMs: 0, openEndMs: 1, steps, order: seen.order },
  );
}

/**
 * The same trace as a counter sees it that is kept until the wall clock's boundary, by a time to live of whole seconds: it
 * ends up to a second late, and so a request may still count in the window before.
 */
export function keptUpToASecond(seen: Observations): Observations {
  const { originMs, low, high, isLimited, isAdmitted } = seen;
  const keptMs = 1_000;
  return observationsOf(
    { originMs, low: low.map((ms) => ms - keptMs), high, isLimited, isAdmitted },
    { burstGapMs: 0, openEndMs: 0, order: seen.order },
  );
}

/** The requests from one position on, up to but not including another, alone. */
export function partOf(seen: Observations, from: number, to: number): Observations {
  const [isLimited, isAdmitted] = [seen.isLimited.slice(from, to), seen.isAdmitted.slice(from, to)];
  const [low, high] = [seen.low.slice(from, to), seen.high.slice(from, to)];
  const sent = { low: seen.order.low.slice(from, to), high };
  const order = { ...sent, ...decidedIn(sent, admittedIn({ isLimited, isAdmitted })) };
  return observationsOf(
    { originMs: seen.originMs, low, high, isLimited, isAdmitted },
    { burstGapMs: -overlapMs, openEndMs: 0, order },
  );
}

/** The same trace as if its requests had been decided at other times, in the same order. */
export function movedTo(seen: Observations, { low, high }: Intervals): Observations {
  return observationsOf(
    { ...seen, low, high },
    { burstGapMs: 0, openEndMs: seen.openEndMs, order: seen.order },
  );
}

/** The same trace as a limiter counts it for which rejected requests count too. */
export function countingRejections(seen: Observations): Observations {
  const { isLimited, isAdmitted } = seen;
  const certain = isLimited.map((limited, at) => limited || isAdmitted[at] === true);
  return countingIn(seen, { possible: isLimited.map(() => true), certain });
}

/** The same trace as a limiter counts it in which these may take a place; those certainly do that were admitted. */
export function countingThose(seen: Observations, mayCount: (at: number) => boolean): Observations {
  const possible = seen.isLimited.map((_limited, at) => mayCount(at));
  return countingIn(seen, { possible, certain: seen.isAdmitted });
}

function countingIn(seen: Observations, counted: Counted): Observations {
  return { ...seen, admissions: tallyOf(seen, counted), ...decidedIn(seen.order, counted) };
}

type Core = Pick<Observations, 'originMs' | 'low' | 'high' | 'isLimited' | 'isAdmitted'>;

type Reading = Pick<Observations, 'openEndMs' | 'steps' | 'order'> & { readonly burstGapMs: number };

function observationsOf(core: Core, { burstGapMs, ...clock }: Reading): Observations {
  const { low, high, isLimited } = core;
  const { sentBy, answeredBefore } = clock.order;
  const limited: number[] = [];
  isLimited.forEach((is, at) => {
    if (is) limited.push(at);
  });
  const admissions = tallyOf(core, admittedIn(core));
  return {
    ...core,
    ...clock,
    count: low.length,
    limited,
    refusals: decisive(limited, core),
    admissions,
    sentBy,
    answeredBefore,
    bursts: burstsOf({ low, high }, isLimited, burstGapMs).map(({ lowMs, highMs }) => ({
      lowMs,
      highMs,
      ended: countUpTo(admissions.certainHigh, highMs),
      sentBefore: countBelow(admissions.certainLow, lowMs),
    })),
    rows: burstsOf({ low, high }, isLimited, pauseMs),
    endMs: high.reduce((last, ms) => (Number.isFinite(ms) ? Math.max(last, ms) : last), 0),
  };
}

/** Requests at either end of a row that decide: those between them say nothing that these do not. */
const decisiveEachEnd = 2;

/**
 * Those of an ascending list of positions that decide, by unbroken row. One that overlaps what came before or after its row
 * may have been decided on either side of that: the outermost ones that surely were not decide too.
 */
export function decisive(positions: readonly number[], { low, high }: Intervals): readonly number[] {
  return rowsOf(positions).flatMap((row) => {
    const beforeMs = high[(row[0] as number) - 1] ?? Number.NEGATIVE_INFINITY;
    const afterMs = low[(row.at(-1) as number) + 1] ?? Number.POSITIVE_INFINITY;
    const first = row.find((at) => (low[at] as number) > beforeMs);
    const last = row.findLast((at) => (high[at] as number) < afterMs);
    return row.filter(
      (at, place) =>
        place < decisiveEachEnd || place >= row.length - decisiveEachEnd || at === first || at === last,
    );
  });
}

/** Positions that follow each other without a gap, together. */
function rowsOf(positions: readonly number[]): readonly (readonly number[])[] {
  const rows: number[][] = [];
  for (const at of positions) {
    const row = rows.at(-1);
    if (row === undefined || row.at(-1) !== at - 1) rows.push([at]);
    else row.push(at);
  }
  return rows;
}

/** The same trace without some refusals, which the limiter in question never saw. */
export function without(observations: Observations, excused: readonly boolean[]): Observations {
  const limited = observations.limited.filter((at) => excused[at] !== true);
  return { ...observations, limited, refusals: decisive(limited, observations) };
}

/** Counts of intervals: ends in ascending order, each for itself. */
export type Tally = {
  readonly possibleLow: Float64Array;
  readonly possibleHigh: Float64Array;
  readonly certainLow: Float64Array;
  readonly certainHigh: Float64Array;
  /** How many of `possibleHigh` are below a moment. */
  readonly endedBefore: (ms: number) => number;
  /** How many of `certainLow` are below a moment. */
  readonly surelySentBefore: (ms: number) => number;
  /** How many of `certainHigh` are below a moment. */
  readonly surelyEndedBefore: (ms: number) => number;
};

/** From when to when each request may have been decided, ms. */
export type Intervals = Pick<Observations, 'low' | 'high'>;

/** By position: whether a request may take a place, and whether it surely does. */
type Counted = { readonly possible: readonly boolean[]; readonly certain: readonly boolean[] };

/** What is neither admitted nor limited may have counted, and never surely did. */
function admittedIn({ isLimited, isAdmitted }: Pick<Core, 'isLimited' | 'isAdmitted'>): Counted {
  return { possible: isLimited.map((limited) => !limited), certain: isAdmitted };
}

function tallyOf(intervals: Intervals, counted: Counted): Tally {
  const certain = endsOf(intervals, counted.certain);
  // Where each request surely counted or surely did not, both are the same.
  const possible = isSure(counted) ? certain : endsOf(intervals, counted.possible);
  return {
    possibleLow: possible.low,
    possibleHigh: possible.high,
    certainLow: certain.low,
    certainHigh: certain.high,
    endedBefore: possible.endedBefore,
    surelySentBefore: certain.sentBefore,
    surelyEndedBefore: certain.endedBefore,
  };
}

function endsOf(intervals: Intervals, isOne: readonly boolean[]) {
  const low = those(intervals.low, isOne);
  const high = ascending(those(intervals.high, isOne));
  return { low, high, sentBefore: countsBelow(low), endedBefore: countsBelow(high) };
}

function isSure({ possible, certain }: Counted): boolean {
  return possible.every((mayCount, at) => mayCount === certain[at]);
}

function decidedIn({ low, high }: Intervals, { possible, certain }: Counted): Decided {
  const sent = countingAlong(those(low, possible));
  const answered = countingAlong(ascending(those(high, certain)));
  return { sentBy: high.map((ms) => sent.upTo(ms)), answeredBefore: low.map((ms) => answered.below(ms)) };
}

/** The values at those positions; by a loop, since this is done for every way of reading a trace. */
function those(values: Float64Array, isOne: readonly boolean[]): Float64Array {
  const found = new Float64Array(values.length);
  let count = 0;
  for (let at = 0; at < values.length; at += 1) {
    if (isOne[at] !== true) continue;
    found[count] = values[at] as number;
    count += 1;
  }
  return found.subarray(0, count);
}

/** All positions in the order in which their answers came, by when those had come. */
export const inOrderOfAnswers = once((high: Float64Array): readonly number[] =>
  Array.from(high, (_, at) => at).sort((left, right) => (high[left] as number) - (high[right] as number)),
);

/** The most that can have been counted from `fromMs` up to and including `toMs`. */
export function possibleIn({ possibleLow, endedBefore }: Tally, fromMs: number, toMs: number): number {
  return Math.max(0, countUpTo(possibleLow, toMs) - endedBefore(fromMs));
}

/**
 * How many that may have counted were answered in a span. Of a bucket before, only these weigh beside the most that the
 * bucket itself may hold: what was on its way at the boundary is taken for the bucket's own, and counts once.
 */
export function endedIn({ endedBefore }: Tally, fromMs: number, untilMs: number): number {
  return endedBefore(untilMs) - endedBefore(fromMs);
}

/** The least that was surely counted from `fromMs` up to but not including `toMs`. */
export function certainIn(
  { surelySentBefore, surelyEndedBefore }: Tally,
  fromMs: number,
  toMs: number,
): number {
  return Math.max(0, surelyEndedBefore(toMs) - surelySentBefore(fromMs));
}

/** Whatever overlaps no more than this was sent after the answer. */
const overlapMs = 2;

/** A pause shorter than this is none. */
const pauseMs = 5;

function burstsOf(times: Intervals, isLimited: readonly boolean[], gapMs: number): readonly Span[] {
  return unbroken(times, gapMs, (at) => isLimited[at] !== true && Number.isFinite(times.high[at]));
}

/** Requests of a kind, in the order in which they were sent, as spans: one goes on where the next comes within a gap. */
export function unbroken(
  { low, high }: Intervals,
  gapMs: number,
  isOne: (at: number) => boolean,
): readonly Span[] {
  const spans: { readonly lowMs: number; highMs: number }[] = [];
  low.forEach((lowMs, at) => {
    if (!isOne(at)) return;
    const highMs = high[at] as number;
    const last = spans.at(-1);
    if (last === undefined || lowMs > last.highMs + gapMs) spans.push({ lowMs, highMs });
    else last.highMs = Math.max(last.highMs, highMs);
  });
  return spans;
}
