import type { Algorithm } from '../../contract/identification.ts';
import { milliseconds } from '../../contract/quantities.ts';
import { groupName } from '../group-name.ts';
import { lengthText } from '../measured-text.ts';
import type { HistoryLine, HistoryPoint } from './history-line.ts';
import { shifts } from './latency-shifts.ts';
import { type Interval, intervalChanges, windowInterval } from './window-changes.ts';

/** What changed between runs, and which run shows it. */
export type Change = {
  readonly kind: 'verdict' | 'window' | 'limit' | 'algorithm' | 'latency';
  /** Place of the run, oldest first. */
  readonly at: number;
  /** Clause id, or scope and key. */
  readonly about: string;
  readonly text: string;
};

/**
 * Everything that changed in a history of comparable runs, oldest first. A difference that noise explains is no change.
 * A window changed if no length explains both runs, a limiter if no algorithm does or if others are likelier in several
 * runs, a latency if a rank test says so. An inconclusive verdict changes nothing.
 */
export function changesIn(lines: readonly HistoryLine[]): readonly Change[] {
  return [...verdictChanges(lines), ...pointChanges(lines)].toSorted((left, right) => left.at - right.at);
}

/**
 * Runs in a row that have to show what is likely before it counts. So a violated clause has to hold for as long before it
 * counts as held: a violation is proof, *held* is not.
 */
const likelyRuns = 3;

function verdictChanges(lines: readonly HistoryLine[]): readonly Change[] {
  const clauses = new Set(lines.flatMap(({ verdicts }) => Object.keys(verdicts)));
  return [...clauses].flatMap((clause) => {
    const decided = lines.flatMap(({ verdicts }, at) => {
      const kind = verdicts[clause];
      return kind === 'held' || kind === 'violated' ? [{ at, kind }] : [];
    });
    return turns(clause, decided);
  });
}

type Decided = { readonly at: number; readonly kind: 'held' | 'violated' };

function turns(clause: string, decided: readonly Decided[]): readonly Change[] {
  const changes: Change[] = [];
  let state = decided[0]?.kind;
  decided.forEach(({ at, kind }, place) => {
    if (kind === state) return;
    const following = decided.slice(place, place + likelyRuns);
    const lasts = following.length === likelyRuns && following.every((one) => one.kind === 'held');
    if (kind === 'held' && !lasts) return;
    changes.push({ kind: 'verdict', at, about: clause, text: `${clause}: ${state} → ${kind}` });
    state = kind;
  });
  return changes;
}

function pointChanges(lines: readonly HistoryLine[]): readonly Change[] {
  const abouts = new Set(lines.flatMap(({ points }) => points.map(groupName)));
  return [...abouts].flatMap((about) => {
    const points = lines.map(({ points: own }) => own.find((point) => groupName(point) === about) ?? null);
    return [
      ...windowChanges(about, points),
      ...knownChanges('limit', about, points.map(limitOf)),
      ...knownChanges('algorithm', about, points.map(familiesOf)),
      ...latencyShifts(about, points),
    ];
  });
}

type Points = readonly (HistoryPoint | null)[];

function windowChanges(about: string, points: Points): readonly Change[] {
  const intervals = points.map((point) => (point === null ? null : windowInterval(point)));
  return intervalChanges(intervals).map(({ at, after, from, to }) => {
    const since = after === at - 1 ? '' : `; it changed within the last ${at - after} runs`;
    return {
      kind: 'window',
      at,
      about,
      text: `${about}: window ${lengthText(from)} → ${lengthText(to)}${since}`,
    };
  });
}

/** What one run shows of a limiter: what it most likely is, and all else that nothing contradicts. */
type Seen = { readonly likely: readonly string[]; readonly possible: readonly string[] };

function limitOf(point: HistoryPoint | null): Seen {
  const limit = point?.limit ?? null;
  return { likely: limit === null ? [] : [String(limit)], possible: [] };
}

/** Algorithms that one run can distinguish and another, less precise run cannot. */
const families: Readonly<Record<Algorithm, string>> = {
  'sliding-log': 'rolling log',
  'sliding-log-counting-rejections': 'rolling log',
  'sub-window-log': 'rolling log',
  'fixed-window-wall-clock': 'fixed window',
  'fixed-window-first-request': 'fixed window',
  'fixed-window-phase': 'fixed window',
  'two-bucket': 'two-bucket',
  'two-bucket-counting-rejections': 'two-bucket',
  'token-bucket': 'bucket',
  'leaky-bucket': 'bucket',
  'leaky-bucket-queue': 'bucket',
  'concurrency-limit': 'concurrency limit',
  'extend-on-reject': 'extend-on-reject',
  'block-on-reject': 'extend-on-reject',
  unidentified: 'unidentified',
};

function familiesOf(point: HistoryPoint | null): Seen {
  const familyOf = (algorithm: Algorithm): string => families[algorithm];
  return {
    likely: [...new Set((point?.algorithms ?? []).map(familyOf))],
    possible: (point?.notRuledOut ?? []).map(familyOf),
  };
}

/**
 * A value changed between runs that have no likely one in common: at once where the later run contradicts what was likely
 * before, else once several runs in a row say so.
 */
function knownChanges(kind: 'limit' | 'algorithm', about: string, runs: readonly Seen[]): readonly Change[] {
  const changes: Change[] = [];
  let common: readonly string[] = [];
  runs.forEach(({ likely, possible }, at) => {
    if (likely.length === 0) return;
    const shared = common.length === 0 ? likely : common.filter((one) => likely.includes(one));
    const isPossible = common.some((one) => possible.includes(one));
    if (shared.length === 0 && isPossible && !lasts(common, runs.slice(at))) return;
    if (shared.length === 0) {
      const text = `${about}: ${kind} ${common.join(' or ')} → ${likely.join(' or ')}`;
      changes.push({ kind, at, about, text });
    }
    common = shared.length === 0 ? likely : shared;
  });
  return changes;
}

/** Whether none of the next runs that know anything takes what was common before for likely. */
function lasts(common: readonly string[], runs: readonly Seen[]): boolean {
  const following = runs.filter(({ likely }) => likely.length > 0).slice(0, likelyRuns);
  const isGone = following.every(({ likely }) => !common.some((one) => likely.includes(one)));
  return following.length === likelyRuns && isGone;
}

function latencyShifts(about: string, points: Points): readonly Change[] {
  return (['p50', 'p99'] as const).flatMap((share) =>
    shifts(points.map((point) => point?.latencyMs?.[share] ?? null)).map(({ at, from, to }): Change => {
      const text = `${about}: ${share} of the latency ${latencyText(from)} → ${latencyText(to)}, in every run since`;
      return { kind: 'latency', at, about, text };
    }),
  );
}

function latencyText({ low, high }: Interval): string {
  return `${milliseconds(low)} to ${milliseconds(high)}`;
}
