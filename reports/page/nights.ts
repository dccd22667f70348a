import { groupName } from '../group-name.ts';
import { changesIn } from '../history/changes.ts';
import { comparableLines, type HistoryLine, historyLineOf } from '../history/history-line.ts';
import type { RunOutcome } from '../outcome.ts';
import type { Report } from '../result.ts';

/** A page shows at most this many runs: a year of nights. */
const nightsMax = 366;

/** The runs that can be compared with one, oldest first, and what changed between them. */
export type Nights = {
  readonly runs: readonly {
    readonly runId: string;
    readonly startedAt: string;
    readonly outcome: RunOutcome;
    /** Violated `must` and `should` clauses. */
    readonly violated: readonly string[];
    readonly isThis: boolean;
  }[];
  /** What was measured at each key and scope, an entry for each run; `null` where a run did not measure it. */
  readonly series: readonly {
    readonly about: string;
    /** Lengths of rolling window that explain the run, s. */
    readonly windowSeconds: readonly (readonly [low: number, high: number] | null)[];
    readonly p50Ms: readonly (number | null)[];
  }[];
  /** `at` is the place of a run. */
  readonly changes: readonly { readonly at: number; readonly about: string; readonly text: string }[];
  /** How many older runs are left out. */
  readonly leftOut: number;
};

/** The runs that can be compared with a report, and the report's own; `null` where there is no other. */
export function nightsOf(report: Report, past: readonly HistoryLine[]): Nights | null {
  const own = historyLineOf(report);
  const lines = comparableLines([...past.filter(({ runId }) => runId !== own.runId), own], own);
  if (lines.length < 2) return null;
  const shown = lines.slice(-nightsMax);
  const leftOut = lines.length - shown.length;
  const abouts = [...new Set(shown.flatMap(({ points }) => points.map(groupName)))];
  return {
    runs: shown.map((line) => ({
      runId: line.runId,
      startedAt: line.startedAt,
      outcome: line.outcome,
      violated: Object.entries(line.verdicts).flatMap(([id, kind]) => (kind === 'violated' ? [id] : [])),
      isThis: line.runId === own.runId,
    })),
    series: abouts.map((about) => {
      const points = shown.map((line) => line.points.find((point) => groupName(point) === about));
      return {
        about,
        windowSeconds: points.map((point) => intervalOf(point?.windowMs ?? null)),
        p50Ms: points.map((point) => point?.latencyMs?.p50 ?? null),
      };
    }),
    // Changes are found in all runs: without the older ones a difference could look like a change.
    changes: changesIn(lines).flatMap(({ at, about, text }) =>
      at < leftOut ? [] : [{ at: at - leftOut, about, text }],
    ),
    leftOut,
  };
}

type Point = HistoryLine['points'][number];

function intervalOf(window: Point['windowMs']): readonly [number, number] | null {
  if (window === null || window.low === null || window.high === null || window.low > window.high) return null;
  return [window.low / 1_000, window.high / 1_000];
}
