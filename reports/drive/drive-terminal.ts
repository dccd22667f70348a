import { howMany, milliseconds } from '../../contract/quantities.ts';
import { groups } from '../../contract/webhooks/drive/case.ts';
import { driveCases } from '../../contract/webhooks/drive/registry.ts';
import type { BurstAnswers } from '../../contract/webhooks/drive/verdict.ts';
import { plainText } from '../plain-text.ts';
import { type Layout, layoutOf, type TerminalOptions, wrap } from '../terminal/layout.ts';
import { type ResultRow, type ResultSection, resultTable } from '../terminal/result-table.ts';
import { lastLine, reasonsOf, runLine } from '../terminal/verdict-line.ts';
import { evidenceOf } from '../verdict-text.ts';
import { caseWord, driveCountsText, driveWords } from './case-text.ts';
import type { CaseResult, DriveReport } from './drive-result.ts';
import { failureSections } from './failure-groups.ts';

/** A report on a receiver as text for people: cases by group, failures in full, the burst, and the verdict at the end. */
export function renderDriveTerminal(report: DriveReport, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const lines = [
    plainText(report.target, 300),
    runLine(report),
    ...resultTable(sectionsOf(report), layout),
    ...failureSections(report.cases, layout),
    ...burstLines(report.answers, layout),
    ...verdictLines(report, layout),
  ];
  return `${lines.join('\n')}\n`;
}

/** The cases by group. Those that are open for one reason are one row: forty rows would hide the reason. */
function sectionsOf({ cases }: DriveReport): readonly ResultSection[] {
  return groups.flatMap((group) => {
    const own = cases.filter((one) => one.group === group);
    const [first] = own;
    if (first === undefined) return [];
    return [{ title: group, rows: rowsOf(own) }];
  });
}

/** Fewer rows that say the same do not hide anything. */
const alikeMin = 3;

/** A row for each case, but one for all that are open for one reason. */
function rowsOf(own: readonly CaseResult[]): readonly ResultRow[] {
  const isAll = (alike: readonly CaseResult[]): boolean => alike.length > 1 && alike.length === own.length;
  return own.flatMap((one, at): readonly ResultRow[] => {
    const alike = own.filter((other) => saysTheSame(other, one));
    if (!isAll(alike) && alike.length < alikeMin) return [rowOf(one)];
    if (own.findIndex((other) => saysTheSame(other, one)) !== at) return [];
    const id = isAll(alike) ? `all ${own.length}` : `${alike.length} of ${own.length}`;
    return [{ ...rowOf(one), id, title: '' }];
  });
}

function rowOf(one: CaseResult): ResultRow {
  return { ...one, word: caseWord(one), evidence: evidenceOf(one.verdict) };
}

function saysTheSame(one: CaseResult, other: CaseResult): boolean {
  const isOpen = one.verdict.kind === 'inconclusive' || one.verdict.kind === 'not-applicable';
  return (
    isOpen && one.verdict.kind === other.verdict.kind && evidenceOf(one.verdict) === evidenceOf(other.verdict)
  );
}

function burstLines(answers: BurstAnswers | null, layout: Layout): readonly string[] {
  if (answers === null) return [];
  const { sent, accepted, refused, unanswered, eventsPerSecond, seconds, lateMsMax } = answers;
  const { p50Ms, p95Ms, p99Ms, maxMs } = answers;
  const counts = `${howMany(sent, 'event')} at ${eventsPerSecond} a second for ${seconds} s: ${accepted} accepted`;
  const others = [
    ...(refused === 0 ? [] : [`${refused} answered with another status`]),
    ...(unanswered === 0 ? [] : [`${unanswered} not answered`]),
  ];
  return [
    '',
    layout.paint('heading', 'Answers to the burst'),
    ...wrap([counts, ...others].join(', '), layout.columns - 2).map((line) => `  ${line}`),
    `  p50 ${latency(p50Ms)}   p95 ${latency(p95Ms)}   p99 ${latency(p99Ms)}   slowest ${latency(maxMs)}`,
    layout.paint('detail', `  this program sent each event at most ${latency(lateMsMax)} late`),
  ];
}

function latency(ms: number | null): string {
  return ms === null ? '-' : milliseconds(ms);
}

function verdictLines(report: DriveReport, layout: Layout): readonly string[] {
  const { outcome, budgetMs, counts, cases } = report;
  const left = counts.notAssessed;
  const were = left === 1 ? 'case was' : 'cases were';
  const partial = left === 0 ? [] : [`${left} ${were} not assessed: the verdict is about the others alone.`];
  const total = driveCases.length;
  const chosen =
    cases.length === total
      ? []
      : [
          cases.length === 1
            ? `1 of ${total} cases was chosen: the verdict is about it alone.`
            : `${cases.length} of ${total} cases were chosen: the verdict is about them alone.`,
        ];
  return [
    '',
    ...[...reasonsOf(report, 'run'), ...chosen, ...partial].flatMap((sentence) =>
      wrap(sentence, layout.columns),
    ),
    layout.paint('detail', `Each answer had at most ${budgetMs / 1_000} s, including the time to connect.`),
    lastLine(report, { word: driveWords[outcome], counts: driveCountsText(report) }, layout),
  ];
}
