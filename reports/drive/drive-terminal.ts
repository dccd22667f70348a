import { milliseconds, seconds } from '../../contract/quantities.ts';
import { groups } from '../../contract/webhooks/drive/case.ts';
import { driveCases } from '../../contract/webhooks/drive/registry.ts';
import type { BurstAnswers } from '../../contract/webhooks/drive/verdict.ts';
import { plainText } from '../plain-text.ts';
import { type Layout, layoutOf, type TerminalOptions, wrap } from '../terminal/layout.ts';
import { resultLines } from '../terminal/result-row.ts';
import type { CaseResult, DriveReport } from './drive-result.ts';
import { caseEvidence, caseWord, driveCountsText, driveWords } from './drive-words.ts';
import { failureLines } from './failure-lines.ts';

/** A report on a receiver as text for people: cases by group, failures in full, the burst, and the verdict at the end. */
export function renderDriveTerminal(report: DriveReport, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const lines = [
    `${plainText(report.target, 300)}`,
    `run ${plainText(report.runId, 60)}, ${plainText(report.startedAt, 40)}, by ${plainText(report.tool.name, 60)} ${plainText(report.tool.version, 40)}`,
    ...caseTable(report, layout),
    ...failures(report, layout),
    ...burstLines(report.answers, layout),
    ...verdictLines(report, layout),
  ];
  return `${lines.join('\n')}\n`;
}

/** Where nothing could be sent, forty open cases would only hide the reason: open ones are counted by group. */
function caseTable(report: DriveReport, layout: Layout): readonly string[] {
  return groups.flatMap((group) => {
    const cases = report.cases.filter((one) => one.group === group);
    if (cases.length === 0) return [];
    const [first] = cases;
    const isSame = first !== undefined && cases.length > 1 && cases.every((one) => saysTheSame(one, first));
    const lines = isSame
      ? resultLines(
          {
            word: painted(first, layout),
            id: `all ${cases.length}`,
            title: '',
            evidence: caseEvidence(first),
          },
          layout,
        )
      : cases.flatMap((one) => {
          const { id, title } = one;
          return resultLines({ word: painted(one, layout), id, title, evidence: caseEvidence(one) }, layout);
        });
    return ['', layout.paint('bold', group), ...lines];
  });
}

function saysTheSame(one: CaseResult, other: CaseResult): boolean {
  const isOpen = one.verdict.kind === 'inconclusive' || one.verdict.kind === 'not-applicable';
  return isOpen && one.verdict.kind === other.verdict.kind && caseEvidence(one) === caseEvidence(other);
}

function painted(one: CaseResult, layout: Layout): string {
  const word = caseWord(one);
  switch (one.verdict.kind) {
    case 'held':
      return layout.paint('green', word);
    case 'violated':
      return layout.paint(one.level === 'must' ? 'red' : 'yellow', word);
    case 'crashed':
      return layout.paint('red', word);
    case 'inconclusive':
      return layout.paint('yellow', word);
    case 'not-applicable':
      return layout.paint('cyan', word);
    default:
      throw new Error(`no colour for ${one.verdict satisfies never}`);
  }
}

function failures({ cases }: DriveReport, layout: Layout): readonly string[] {
  const failed = cases.filter(({ verdict }) => verdict.kind === 'violated');
  const must = failed.filter(({ level }) => level === 'must');
  const others = failed.filter(({ level }) => level !== 'must');
  return [
    ...section('Failed', must, layout),
    ...section('Shortcomings (they do not decide)', others, layout),
  ];
}

function section(title: string, results: readonly CaseResult[], layout: Layout): readonly string[] {
  if (results.length === 0) return [];
  return [
    '',
    layout.paint('bold', title),
    ...results.flatMap((result) => ['', ...failureLines(result, layout)]),
  ];
}

function burstLines(answers: BurstAnswers | null, layout: Layout): readonly string[] {
  if (answers === null) return [];
  const { sent, accepted, refused, unanswered, eventsPerSecond, seconds, lateMsMax } = answers;
  const { p50Ms, p95Ms, p99Ms, maxMs } = answers;
  const counts = `${sent} events at ${eventsPerSecond} a second for ${seconds} s: ${accepted} accepted`;
  const others = [
    ...(refused === 0 ? [] : [`${refused} answered otherwise`]),
    ...(unanswered === 0 ? [] : [`${unanswered} not answered`]),
  ];
  return [
    '',
    layout.paint('bold', 'Answers to the burst'),
    ...wrap([counts, ...others].join(', '), layout.columns - 2).map((line) => `  ${line}`),
    `  p50 ${latency(p50Ms)}   p95 ${latency(p95Ms)}   p99 ${latency(p99Ms)}   slowest ${latency(maxMs)}`,
    layout.paint('dim', `  this program was at most ${latency(lateMsMax)} late in sending`),
  ];
}

function latency(ms: number | null): string {
  return ms === null ? '-' : milliseconds(ms);
}

const colours = {
  conformant: 'green',
  'not-conformant': 'red',
  inconclusive: 'yellow',
  error: 'red',
} as const;

function verdictLines(report: DriveReport, layout: Layout): readonly string[] {
  const { outcome, outcomeReasons, incompleteReason, budgetMs, counts, cases } = report;
  const errors =
    outcome === 'error' ? outcomeReasons.map((reason) => `Error: ${plainText(reason, 600)}`) : [];
  const incomplete =
    incompleteReason === null ? [] : [`The run is incomplete: ${plainText(incompleteReason, 600)}`];
  const left = counts.notAssessed;
  const were = left === 1 ? 'case was' : 'cases were';
  const partial = left === 0 ? [] : [`${left} ${were} not assessed: the verdict is about the others alone.`];
  const total = driveCases.length;
  const chosen =
    cases.length === total
      ? []
      : [`${cases.length} of ${total} cases were chosen: the verdict is about them alone.`];
  const word = layout.paint(colours[outcome], layout.paint('bold', driveWords[outcome]));
  return [
    '',
    ...[...errors, ...incomplete, ...chosen, ...partial].flatMap((sentence) =>
      wrap(sentence, layout.columns),
    ),
    layout.paint('dim', `An answer had ${budgetMs / 1_000} s, with connecting.`),
    `${word}: ${driveCountsText(report)}; ${seconds(report.durationSeconds * 1_000, 1)}`,
  ];
}
