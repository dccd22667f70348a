import { seconds } from '../../contract/quantities.ts';
import type { Evidence } from '../../contract/verdict.ts';
import { type ClauseResult, decidingOf } from '../clause-result.ts';
import { failureText } from '../failure-text.ts';
import { outcomeText } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { evidenceOf, verdictTone, verdictWord } from '../verdict-text.ts';
import { type Layout, labelled, layoutOf, type TerminalOptions } from './layout.ts';
import { afterVerdict, countsText, isSomethingJudged, lastLine, reasonLines } from './verdict-line.ts';

/** The verdict alone, in one line; below it, where the run is incomplete or failed, why. */
export function renderVerdict(report: Report, options: TerminalOptions): string {
  const layout = layoutOf(options, columnsMinOfSummary);
  return `${[verdictOf(report, layout), ...reasonLines(report, layout)].join('\n')}\n`;
}

/**
 * What somebody has to know who has run it: the verdict, each violation in a plain sentence with its figures, what is open, what changed, and
 * what the verdict does not say. The page and the full text have the rest.
 */
export function renderSummary(report: Report, options: TerminalOptions): string {
  const layout = layoutOf(options, columnsMinOfSummary);
  const own = decidingOf(report);
  const violated = own.filter(({ verdict }) => verdict.kind === 'violated').toSorted(byLevel);
  const open = own.filter(
    ({ level, verdict }) =>
      level === 'must' && (verdict.kind === 'inconclusive' || verdict.kind === 'crashed'),
  );
  const said = [
    verdictOf(report, layout),
    ...violated.flatMap((result, at) => [
      ...lines([result], breachText(result, report), layout),
      ...(at < figuresShownMax ? figureLines(result, report, layout) : []),
    ]),
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

/** Of so many violations the figures are shown; the page has those of all. */
const figuresShownMax = 8;
const figureCharactersMax = 200;

/** Lines of a summary, which has no tables, are readable down to this. */
const columnsMinOfSummary = 48;

/** Below so many columns the figures have no room behind the words of verdicts. */
const columnsToIndent = 72;

/** What was expected of a violated clause that decides, what was observed, and by which requests that is shown. */
function figureLines(result: ClauseResult, report: Report, layout: Layout): readonly string[] {
  const { level, verdict } = result;
  if (verdict.kind !== 'violated' || level !== 'must') return [];
  const { expected, observed } = verdict.evidence;
  const indent = layout.columns < columnsToIndent ? 2 : wordWidth + 2;
  const said = [
    ['expected', expected],
    ['observed', observed],
    ['shown by', shownBy(verdict.evidence, report)],
  ] as const;
  return said.flatMap(([label, text]) =>
    text === null
      ? []
      : labelled(label, plainText(text, figureCharactersMax), {
          columns: layout.columns,
          indent,
          labelWidth: 8,
        }).map((line) => layout.paint('detail', line)),
  );
}

/** The numbers of the requests that are quoted, and how long it was from the first to the last. */
function shownBy({ exchanges, exchangesTotal }: Evidence, { runId }: Report): string | null {
  const [first] = exchanges;
  const last = exchanges.at(-1);
  if (first === undefined || last === undefined) return null;
  const numbers = exchanges.map(({ requestId }) => requestId.replace(`${runId}-`, '')).join(', ');
  const more = exchangesTotal - exchanges.length;
  const which = `${exchangesTotal === 1 ? 'request' : 'requests'} ${numbers}`;
  const rest = more > 0 ? ` and ${more} more` : '';
  const span = exchanges.length === 1 ? '' : `, over ${seconds(last.sentMs - first.sentMs, 1)}`;
  return `${which}${rest}${span}`;
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
