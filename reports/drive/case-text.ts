import { howMany } from '../../contract/quantities.ts';
import type { QuotedDelivery } from '../../contract/webhooks/drive/verdict.ts';
import type { RunOutcome } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import { cut, type Layout, labelled } from '../terminal/layout.ts';
import { tableLines } from '../terminal/table.ts';
import { countList, verdictTone } from '../verdict-text.ts';
import type { CaseResult, DriveReport } from './drive-result.ts';

/** What the verdict on a case is called; a failed `should` is a shortcoming, not a failure. */
export function caseWord({ level, verdict }: CaseResult): string {
  switch (verdict.kind) {
    case 'held':
      return 'passed';
    case 'violated':
      return level === 'must' ? 'FAILED' : 'shortcoming';
    case 'inconclusive':
      return 'open';
    case 'not-applicable':
      return 'not assessed';
    case 'crashed':
      return 'CRASHED';
    default:
      return verdict satisfies never;
  }
}

/** What the outcome of a whole drive is called. */
export const driveWords: Readonly<Record<RunOutcome, string>> = {
  conformant: 'PASSED',
  'not-conformant': 'FAILED',
  inconclusive: 'OPEN',
  error: 'ERROR',
};

/** How many cases have each verdict. */
export function driveCountsText({ counts }: Pick<DriveReport, 'counts'>): string {
  const { passed, failed, shortcomings, open, notAssessed, crashed } = counts;
  const assessed = passed + failed + shortcomings + open + crashed;
  const others = countList([
    [failed, 'failed'],
    [shortcomings, shortcomings === 1 ? 'shortcoming' : 'shortcomings'],
    [open, 'open'],
    [crashed, 'crashed'],
    [notAssessed, 'not assessed'],
  ]);
  return [`${passed} of ${howMany(assessed, 'case')} passed`, ...others].join(', ');
}

/** Characters of one answer that are shown; the trace holds more. */
const answerCharactersShown = 160;

/** One failed case: what was sent, expected and observed, what it most likely means, and the deliveries that show it. */
export function failureLines(result: CaseResult, layout: Layout): readonly string[] {
  const { id, title, verdict, sends, expects, why } = result;
  if (verdict.kind !== 'violated') return [];
  const space = { columns: layout.columns, indent: 2, labelWidth: 8 };
  return [
    layout.paint(verdictTone(result), `${id}: ${title} (${verdict.reason.replaceAll('-', ' ')})`),
    ...labelled('sends', sends, space),
    ...labelled('expects', expects, space),
    ...labelled('observed', plainText(verdict.observed, 600), space),
    ...labelled('likely', plainText(verdict.likely, 600), space),
    ...labelled('why', why, space),
    ...quotedLines(verdict.deliveries, verdict.deliveriesTotal, layout),
  ];
}

/** Deliveries that show a failure, as a table; below each of them what the receiver said. */
export function quotedLines(
  deliveries: readonly QuotedDelivery[],
  total: number,
  layout: Layout,
): readonly string[] {
  const rows = deliveries.map((one) => [
    one.name,
    one.status === null ? 'none' : String(one.status),
    one.answeredAfterMs === null ? 'never' : `${Math.ceil(one.answeredAfterMs)} ms`,
    String(one.index),
    one.messageId,
  ]);
  const [head = '', ...lines] = tableLines(
    [['delivery', 'status', 'after', 'position', 'message'], ...rows],
    {
      alignments: ['left', 'right', 'right', 'right', 'left'],
    },
  );
  const quoted = lines.flatMap((line, at) => {
    const said = plainText(deliveries[at]?.said ?? '', answerCharactersShown);
    const below = said === '' ? [] : [layout.paint('detail', cut(`      ${said}`, layout.columns))];
    return [cut(`    ${line}`, layout.columns), ...below];
  });
  const left = total - deliveries.length;
  return [
    layout.paint('detail', cut(`    ${head}`, layout.columns)),
    ...quoted,
    ...(left > 0 ? [`    and ${left} more in the trace`] : []),
  ];
}
