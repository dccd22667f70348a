import { z } from 'zod';
import { runOutcomes } from '../outcome.ts';
import type { Report } from '../result.ts';
import { type Change, changesIn } from './changes.ts';
import { comparableLines, type HistoryLine, historyLineOf } from './history-line.ts';

/** What is different from the newest comparable run before; the first thing in every summary. */
export const sinceLastSchema = z.object({
  runId: z.string(),
  startedAt: z.string(),
  outcome: z.enum(runOutcomes),
  /** Comparable runs before this one. */
  runs: z.int(),
  /** One sentence each; empty where nothing changed. */
  changes: z.array(z.string()),
});

type SinceLast = z.infer<typeof sinceLastSchema>;

/**
 * What a run changed, beside the comparable runs before it, oldest first; `null` where it is the first. Verdicts are
 * compared with those of the last run as they stand; what was measured changed only where noise does not explain it.
 */
function sinceLast(before: readonly HistoryLine[], run: HistoryLine): SinceLast | null {
  const last = before.at(-1);
  if (last === undefined) return null;
  const known = new Set(changesIn(before).map(idOf));
  const measured = changesIn([...before, run]).filter(
    (change) => change.kind !== 'verdict' && !known.has(idOf(change)),
  );
  return {
    runId: last.runId,
    startedAt: last.startedAt,
    outcome: last.outcome,
    runs: before.length,
    changes: [...verdictDifferences(last, run), ...measured.map(({ text }) => text)],
  };
}

/** A report that knows what it changed, beside the runs before it, of whatever target. */
export function remembering(report: Report, past: readonly HistoryLine[]): Report {
  const line = historyLineOf(report);
  return { ...report, sinceLast: sinceLast(comparableLines(past, line), line) };
}

function idOf({ kind, about, at }: Change): string {
  return `${kind} ${about} ${at}`;
}

function verdictDifferences(last: HistoryLine, run: HistoryLine): readonly string[] {
  return Object.entries(run.verdicts).flatMap(([clause, kind]) => {
    const before = last.verdicts[clause];
    return before === undefined || before === kind ? [] : [`${clause}: ${before} → ${kind}`];
  });
}
