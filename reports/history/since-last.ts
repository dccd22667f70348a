import type { VerdictKind } from '../outcome.ts';
import type { Report } from '../result.ts';
import { type Change, changesIn } from './changes.ts';
import { comparableLines, type HistoryLine, historyLineOf } from './history-line.ts';

type SinceLast = NonNullable<Report['sinceLast']>;

/**
 * What changed from the comparable runs before, oldest first, to a run; `null` where it is the first. Every verdict that
 * differs from the last run is a change; a measured value changed only if noise does not explain the difference.
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
    changes: [
      ...promiseDifferences(last, run),
      ...verdictDifferences(last, run),
      ...measured.map(({ text }) => text),
    ],
  };
}

/** A report with what changed since the runs before it. `past` may hold runs of other targets. */
export function remembering(report: Report, past: readonly HistoryLine[]): Report {
  const line = historyLineOf(report);
  return { ...report, sinceLast: sinceLast(comparableLines(past, line), line) };
}

function idOf({ kind, about, at }: Change): string {
  return `${kind} ${about} ${at}`;
}

/** What the document says otherwise than it did: other verdicts may follow from that alone. */
function promiseDifferences(last: HistoryLine, run: HistoryLine): readonly string[] {
  const [before, now] = [last.limits, run.limits];
  if (before === undefined || now === undefined) return [];
  const scopes = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...scopes].flatMap((scope) => {
    const [was = 'nothing', is = 'nothing'] = [before[scope], now[scope]];
    return was === is ? [] : [`the document, ${scope}: ${was} → ${is}`];
  });
}

function verdictDifferences(last: HistoryLine, run: HistoryLine): readonly string[] {
  // A document that was edited has other clauses.
  const clauses = new Set([...Object.keys(run.verdicts), ...Object.keys(last.verdicts)]);
  const differing = [...clauses].flatMap((clause) => {
    const { [clause]: before = null } = last.verdicts;
    const { [clause]: kind = null } = run.verdicts;
    return before === kind ? [] : [{ clause, before, kind }];
  });
  // What broke comes first, then what was mended: the rest may be folded.
  const rank = ({ before, kind }: (typeof differing)[number]): number =>
    kind === 'violated' ? 0 : Number(before !== 'violated') + 1;
  return differing
    .toSorted((one, other) => rank(one) - rank(other))
    .map(({ clause, before, kind }) => `${clause}: ${wordOf(before)} → ${wordOf(kind)}`);
}

function wordOf(kind: VerdictKind | null): string {
  if (kind === null) return 'not asked';
  return kind === 'not-applicable' ? 'not run' : kind;
}
