import type { Algorithm } from '../../contract/identification.ts';
import { milliseconds } from '../../contract/quantities.ts';
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
 * A window changed if no length explains both runs, a limiter if no algorithm does, a latency if a rank test says so. An
 * inconclusive verdict changes nothing.
 */
export function changesIn(lines: readonly HistoryLine[]): readonly Change[] {
  return [...verdictChanges(lines), ...pointChanges(lines)].toSorted((left, right) => left.at - right.at);
}

/** Runs in a row in which a violated clause has to hold before it counts as held: a violation is proof, *held* is not. */
const recoveredRuns = 3;

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
    const following = decided.slice(place, place + recoveredRuns);
    const lasts = following.length === recoveredRuns && following.every((one) => one.kind === 'held');
    if (kind === 'held' && !lasts) return;
    changes.push({ kind: 'verdict', at, about: clause, text: `${clause}: ${state} → ${kind}` });
    state = kind;
  });
  return changes;
}

function pointChanges(lines: readonly HistoryLine[]): readonly Change[] {
  const abouts = new Set(lines.flatMap(({ points }) => points.map(aboutOf)));
  return [...abouts].flatMap((about) => {
    const points = lines.map(({ points: own }) => own.find((point) => aboutOf(point) === about) ?? null);
    return [
      ...windowChanges(about, points),
      ...knownChanges('limit', about, points.map(limitOf)),
      ...knownChanges('algorithm', about, points.map(familiesOf)),
      ...latencyShifts(about, points),
    ];
  });
}

function aboutOf({ scope, key }: HistoryPoint): string {
  return `${scope} ${key}`;
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

function limitOf(point: HistoryPoint | null): readonly string[] {
  const limit = point?.limit ?? null;
  return limit === null ? [] : [String(limit)];
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

function familiesOf(point: HistoryPoint | null): readonly string[] {
  return [...new Set((point?.algorithms ?? []).map((algorithm) => families[algorithm]))];
}

/** Each run gives the values that are possible. A value changed between runs that have none in common. */
function knownChanges(
  kind: 'limit' | 'algorithm',
  about: string,
  sets: readonly (readonly string[])[],
): readonly Change[] {
  const changes: Change[] = [];
  let common: readonly string[] = [];
  sets.forEach((set, at) => {
    if (set.length === 0) return;
    const shared = common.length === 0 ? set : common.filter((one) => set.includes(one));
    if (shared.length === 0) {
      const text = `${about}: ${kind} ${common.join(' or ')} → ${set.join(' or ')}`;
      changes.push({ kind, at, about, text });
    }
    common = shared.length === 0 ? set : shared;
  });
  return changes;
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
