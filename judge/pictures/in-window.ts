import { windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import { rounded, type Timeline } from '../../contract/pictures.ts';
import { ascending } from '../counting.ts';
import type { Entry, Group } from '../entries.ts';
import { bits, columnsOf } from '../intervals.ts';
import { boundsThatMayCount, boundsThatSurelyCount, type Reading } from '../lengths.ts';

/** Spans above the limit that are kept; where there were more, those with the most requests in them. */
const spansMax = 100;

export type InWindow = Pick<Timeline, 'inWindow' | 'over'>;

export type InWindowOptions = {
  readonly reading: Reading;
  /** Where there are more moments, several are drawn as one. */
  readonly stepsMax: number;
};

/**
 * How many requests lay in the trailing window, over time. Each was counted somewhere between sending and answer, and the
 * window is as long as clocks within their bounds can make it look, so that there is a least and a most. Where the least
 * exceeds the limit, limit + 1 were admitted inside one window, wherever they were counted.
 */
export function inWindowOf(group: Group, { reading, stepsMax }: InWindowOptions): InWindow {
  const { windowMs, limit, entries } = group;
  const sure = boundsThatSurelyCount(entries, reading);
  const maybe = boundsThatMayCount(entries, reading);
  const originMs = entries[0]?.lowMs ?? 0;
  const endMs = endOf(entries);
  const passages: Passages = {
    ...{ originMs, endMs },
    sureFrom: sure.highs,
    sureTo: leavesSurely(group, reading),
    maybeFrom: maybe.lows,
    maybeTo: maybe.highs,
    longestMs: windowMsAtMost(windowMs),
  };
  const over: Over[] = [];
  let count = 0;
  forEachStep(passages, (step) => {
    follow(over, step, limit);
    count += 1;
  });
  return {
    inWindow: stepColumns(thinned(passages, Math.ceil(count / stepsMax))),
    over: overColumns(over, endMs - originMs),
  };
}

/** When each leaves that surely took a place. One that leaves before its answer had come was never surely in the window. */
function leavesSurely({ entries, windowMs }: Group, reading: Reading): Float64Array {
  const { lowMs, highMs, outcome } = columnsOf(entries);
  const counted = reading === 'counted' ? bits.admitted | bits.limited : bits.admitted;
  const shortestMs = windowMsAtLeast(windowMs);
  const leaves = new Float64Array(entries.length);
  let count = 0;
  for (let at = 0; at < leaves.length; at += 1) {
    if (((outcome[at] as number) & counted) === 0) continue;
    leaves[count] = Math.max(highMs[at] as number, (lowMs[at] as number) + shortestMs);
    count += 1;
  }
  return ascending(leaves.subarray(0, count));
}

/** When requests enter the window and leave it, ascending each. */
type Passages = {
  readonly originMs: number;
  /** What comes later is not looked at. */
  readonly endMs: number;
  readonly sureFrom: Float64Array;
  readonly sureTo: Float64Array;
  readonly maybeFrom: Float64Array;
  /** Before the longest window that a clock may make of it. */
  readonly maybeTo: Float64Array;
  readonly longestMs: number;
};

/** The counts at each moment at which they change; of a long trace there are millions, which are never held. */
function forEachStep(
  { originMs, endMs, sureFrom, sureTo, maybeFrom, maybeTo, longestMs }: Passages,
  take: (step: CurvePoint) => void,
): void {
  const [entered, left] = [passing(sureFrom), passing(sureTo)];
  const [mayEnter, mayLeave] = [passing(maybeFrom), passing(maybeTo, longestMs)];
  let [certain, possible] = [-1, -1];
  for (;;) {
    const ms = Math.min(entered.nextMs, left.nextMs, mayEnter.nextMs, mayLeave.nextMs);
    // Once all have passed the next is at no time.
    if (ms > endMs || ms === Number.POSITIVE_INFINITY) break;
    for (const one of [entered, left, mayEnter, mayLeave]) passUpTo(one, ms);
    const certainNow = entered.passed - left.passed;
    const possibleNow = mayEnter.passed - mayLeave.passed;
    if (certainNow === certain && possibleNow === possible) continue;
    [certain, possible] = [certainNow, possibleNow];
    take({ atMs: ms - originMs, certain, possible });
  }
}

/** How many of some moments, each so much later, have passed, and the next one; infinite where there is none. */
type Passing = {
  readonly moments: Float64Array;
  readonly laterMs: number;
  passed: number;
  nextMs: number;
};

function passing(moments: Float64Array, laterMs = 0): Passing {
  return { moments, laterMs, passed: 0, nextMs: (moments[0] ?? Number.POSITIVE_INFINITY) + laterMs };
}

function passUpTo(one: Passing, ms: number): void {
  while (one.nextMs <= ms) {
    one.passed += 1;
    one.nextMs = (one.moments[one.passed] ?? Number.POSITIVE_INFINITY) + one.laterMs;
  }
}

type CurvePoint = { readonly atMs: number; readonly certain: number; readonly possible: number };
/** `toMs` is `null` while the span goes on. */
type Over = { readonly fromMs: number; toMs: number | null; certain: number };

/** When the last answer had come; when the last request left where none came. */
export function endOf(entries: readonly Entry[]): number {
  return entries.reduce(
    (last, { lowMs, highMs }) => Math.max(last, Number.isFinite(highMs) ? highMs : lowMs),
    0,
  );
}

function follow(over: Over[], step: CurvePoint, limit: number): void {
  const open = over.at(-1);
  if (open === undefined || open.toMs !== null) {
    if (step.certain > limit) over.push({ fromMs: step.atMs, toMs: null, certain: step.certain });
    return;
  }
  if (step.certain > limit) open.certain = Math.max(open.certain, step.certain);
  else open.toMs = step.atMs;
}

/** Several steps as one, with the least and the most of all of them: the band only ever becomes wider. */
function thinned(passages: Passages, together: number): readonly CurvePoint[] {
  const thin: { -readonly [Field in keyof CurvePoint]: number }[] = [];
  let inLast = together;
  forEachStep(passages, ({ atMs, certain, possible }) => {
    const last = thin.at(-1);
    if (last === undefined || inLast === together) {
      thin.push({ atMs, certain, possible });
      inLast = 1;
      return;
    }
    last.certain = Math.min(last.certain, certain);
    last.possible = Math.max(last.possible, possible);
    inLast += 1;
  });
  return thin;
}

function stepColumns(steps: readonly CurvePoint[]): Timeline['inWindow'] {
  return {
    atMs: steps.map(({ atMs }) => rounded(atMs)),
    certain: steps.map((step) => step.certain),
    possible: steps.map((step) => step.possible),
  };
}

function overColumns(over: readonly Over[], endMs: number): Timeline['over'] {
  const kept = over
    .toSorted((left, right) => right.certain - left.certain)
    .slice(0, spansMax)
    .sort((left, right) => left.fromMs - right.fromMs);
  return {
    fromMs: kept.map(({ fromMs }) => rounded(fromMs)),
    toMs: kept.map(({ toMs }) => rounded(toMs ?? endMs)),
    certain: kept.map(({ certain }) => certain),
  };
}
