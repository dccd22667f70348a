import { windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import { rounded, type Timeline } from '../../contract/pictures.ts';
import type { Entry, Group } from '../entries.ts';
import { countingAlong, countUpTo } from '../intervals.ts';

/** Spans above the limit that are kept; where there were more, those with the most requests in them. */
const spansMax = 100;

export type InWindow = Pick<Timeline, 'inWindow' | 'over'>;

export type InWindowOptions = {
  readonly rejectionsCount: boolean;
  /** Where there are more moments, several are drawn as one. */
  readonly stepsMax: number;
};

/**
 * How many requests lay in the trailing window, over time. Each was counted somewhere between sending and answer, and the
 * window is as long as clocks within their bounds can make it look, so that there is a least and a most. Where the least
 * exceeds the limit, limit + 1 were admitted inside one window, wherever they were counted.
 */
export function inWindowOf(group: Group, { rejectionsCount, stepsMax }: InWindowOptions): InWindow {
  const { windowMs, limit, entries } = group;
  const { sure, maybe } = counting(entries, rejectionsCount);
  const originMs = entries[0]?.lowMs ?? 0;
  const sureFrom = sorted(sure, ({ highMs }) => highMs);
  // One that leaves before its answer had come was never surely in the window.
  const sureTo = sorted(sure, ({ lowMs, highMs }) => Math.max(highMs, lowMs + windowMsAtLeast(windowMs)));
  const maybeFrom = sorted(maybe, ({ lowMs }) => lowMs);
  const maybeTo = sorted(maybe, ({ highMs }) => highMs + windowMsAtMost(windowMs));
  const endMs = endOf(entries);
  const moments = sortedTogether([sureFrom, sureTo, maybeFrom, maybeTo]);
  const steps = stepsOf(moments.subarray(0, countUpTo(moments, endMs)), {
    originMs,
    sure: [sureFrom, sureTo],
    maybe: [maybeFrom, maybeTo],
  });
  const over: Over[] = [];
  for (let at = 0; at < steps.count; at += 1) follow(over, stepAt(steps, at), limit);
  return {
    inWindow: stepColumns(thinned(steps, Math.ceil(steps.count / stepsMax))),
    over: overColumns(over, endMs - originMs),
  };
}

function sortedTogether(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}

/** When requests enter the window, and when they leave it. */
type Passage = readonly [from: Float64Array, to: Float64Array];

type Passages = { readonly originMs: number; readonly sure: Passage; readonly maybe: Passage };

/** The counts at each moment at which they change, as columns: of a long trace there are millions. */
type Steps = {
  readonly count: number;
  readonly atMs: Float64Array;
  readonly certain: Int32Array;
  readonly possible: Int32Array;
};

function stepsOf(moments: Float64Array, { originMs, sure, maybe }: Passages): Steps {
  const [sureIn, maybeIn] = [inside(sure), inside(maybe)];
  const atMs = new Float64Array(moments.length);
  const certain = new Int32Array(moments.length);
  const possible = new Int32Array(moments.length);
  let count = 0;
  for (const ms of moments) {
    const certainNow = sureIn(ms);
    const possibleNow = maybeIn(ms);
    const isSame = certainNow === certain[count - 1] && possibleNow === possible[count - 1];
    if (isSame) continue;
    atMs[count] = ms - originMs;
    certain[count] = certainNow;
    possible[count] = possibleNow;
    count += 1;
  }
  return { count, atMs, certain, possible };
}

function stepAt({ atMs, certain, possible }: Steps, at: number): CurvePoint {
  return {
    atMs: atMs[at] as number,
    certain: certain[at] as number,
    possible: possible[at] as number,
  };
}

/** How many have entered and not left. */
function inside([from, to]: Passage): (ms: number) => number {
  const [entered, left] = [countingAlong(from), countingAlong(to)];
  return (ms) => entered.upTo(ms) - left.upTo(ms);
}

type CurvePoint = { readonly atMs: number; readonly certain: number; readonly possible: number };
/** `toMs` is `null` while the span goes on. */
type Over = { readonly fromMs: number; toMs: number | null; certain: number };

function counting(entries: readonly Entry[], rejectionsCount: boolean) {
  const isCounted = ({ exchange: { outcome } }: Entry): boolean =>
    outcome === 'admitted' || (rejectionsCount && outcome === 'limited');
  return {
    sure: entries.filter(isCounted),
    maybe: entries.filter(({ exchange }) => rejectionsCount || exchange.outcome !== 'limited'),
  };
}

/** When the last answer had come; when the last request left where none came. */
export function endOf(entries: readonly Entry[]): number {
  return entries.reduce(
    (last, { lowMs, highMs }) => Math.max(last, Number.isFinite(highMs) ? highMs : lowMs),
    0,
  );
}

function sorted(entries: readonly Entry[], moment: (entry: Entry) => number): Float64Array {
  return Float64Array.from(entries, moment).sort();
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
function thinned(steps: Steps, together: number): readonly CurvePoint[] {
  const thin: { -readonly [Field in keyof CurvePoint]: number }[] = [];
  let inLast = together;
  for (let at = 0; at < steps.count; at += 1) {
    const { atMs, certain, possible } = stepAt(steps, at);
    const last = thin.at(-1);
    if (last === undefined || inLast === together) {
      thin.push({ atMs, certain, possible });
      inLast = 1;
      continue;
    }
    last.certain = Math.min(last.certain, certain);
    last.possible = Math.max(last.possible, possible);
    inLast += 1;
  }
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
