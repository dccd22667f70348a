import type { ClauseResult } from '../clause-result.ts';
import { failureText } from '../failure-text.ts';
import { outcomeText } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { evidenceOf, verdictTone, verdictWord } from '../verdict-text.ts';
import { type Layout, labelled, layoutOf, type TerminalOptions } from './layout.ts';
import { afterVerdict, countsText, isSomethingJudged, lastLine } from './verdict-line.ts';

/** The verdict alone, in one line. */
export function renderVerdict(report: Report, options: TerminalOptions): string {
  return `${verdictOf(report, layoutOf(options))}\n`;
}

/**
 * What somebody has to know who has run it: the verdict, each violation in a plain sentence, what is open, what changed, and
 * what the verdict does not say. The page and the full text have the rest.
 */
export function renderSummary(report: Report, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const own = [...report.clauses, ...(report.webhooks?.clauses ?? [])];
  const violated = own.filter(({ verdict }) => verdict.kind === 'violated').toSorted(byLevel);
  const open = own.filter(
    ({ level, verdict }) =>
      level === 'must' && (verdict.kind === 'inconclusive' || verdict.kind === 'crashed'),
  );
  const said = [
    verdictOf(report, layout),
    ...violated.flatMap((result) => lines([result], breachText(result, report), layout)),
    ...(isSomethingJudged(report) ? openLines(open, layout) : []),
    ...afterVerdict(report, layout),
  ];
  return `${said.join('\n')}\n`;
}

function verdictOf(report: Report, layout: Layout): string {
  return lastLine(report, { word: outcomeText(report), counts: countsText(report) }, layout);
}

/** What decides comes first. */
function byLevel({ level: left }: ClauseResult, { level: right }: ClauseResult): number {
  return Number(left !== 'must') - Number(right !== 'must');
}

/** The failure, and what follows from it. */
function breachText(result: ClauseResult, { deployment }: Report): string {
  const { title, consequence } = failureText(result, deployment.document);
  return consequence === undefined ? `${title}.` : `${title}. ${consequence}`;
}

/** As many as a screen has room for, beside the rest. */
const reasonsShownMax = 8;
const reasonCharactersMax = 220;

/** What is open, by why; what is open only because another clause is violated, without a reason of its own. */
function openLines(open: readonly ClauseResult[], layout: Layout): readonly string[] {
  const follows = open.filter(({ verdict }) => verdict.kind === 'inconclusive' && verdict.because.length > 0);
  const others = open.filter((result) => !follows.includes(result));
  const byReason = [...Map.groupBy(others, ({ verdict }) => evidenceOf(verdict)).entries()];
  const shown = byReason.length > reasonsShownMax ? byReason.slice(0, reasonsShownMax - 1) : byReason;
  const rest = byReason.slice(shown.length).flatMap(([, own]) => own);
  return [
    ...shown.flatMap(([reason, own]) => lines(own, plainText(reason, reasonCharactersMax), layout)),
    ...(rest.length === 0 ? [] : lines(rest, 'for other reasons', layout)),
    ...(follows.length === 0 ? [] : lines(follows, 'not judged, because of what is violated', layout)),
  ];
}

/** Clauses with one verdict and one text. */
function lines(own: readonly ClauseResult[], text: string, layout: Layout): readonly string[] {
  const [any] = own;
  if (any === undefined) return [];
  const word = verdictWord(any);
  const ids = own.map(({ id }) => id).join(', ');
  const [first = '', ...others] = labelled(word, `${ids}: ${text}`, {
    columns: layout.columns,
    indent: 0,
    labelWidth: wordWidth,
  });
  return [layout.paint(verdictTone(any), word) + first.slice(word.length), ...others];
}

const wordWidth = 12;
