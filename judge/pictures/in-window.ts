import { windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import { greatestOf, leastOf } from '../../contract/extremes.ts';
import { rounded, type Timeline } from '../../contract/pictures.ts';
import type { Entry, Group } from '../entries.ts';
import { countUpTo } from '../intervals.ts';

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
  const moments = Float64Array.from([...sureFrom, ...sureTo, ...maybeFrom, ...maybeTo]).sort();
  const steps: CurvePoint[] = [];
  const over: Over[] = [];
  for (const ms of moments.subarray(0, countUpTo(moments, endMs))) {
    const step = {
      atMs: ms - originMs,
      certain: countUpTo(sureFrom, ms) - countUpTo(sureTo, ms),
      possible: countUpTo(maybeFrom, ms) - countUpTo(maybeTo, ms),
    };
    const before = steps.at(-1);
    if (step.certain === before?.certain && step.possible === before.possible) continue;
    steps.push(step);
    follow(over, step, limit);
  }
  return { inWindow: stepColumns(thinned(steps, stepsMax)), over: overColumns(over, endMs - originMs) };
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
function thinned(steps: readonly CurvePoint[], most: number): readonly CurvePoint[] {
  const together = Math.ceil(steps.length / most);
  return Array.from({ length: Math.ceil(steps.length / together) }, (_, at) => {
    const some = steps.slice(at * together, (at + 1) * together);
    return {
      atMs: (some[0] as CurvePoint).atMs,
      certain: leastOf(some.map((step) => step.certain)),
      possible: greatestOf(some.map((step) => step.possible)),
    };
  });
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
