import { howMany } from '../../contract/quantities.ts';
import type { QuotedExchange } from '../../contract/verdict.ts';
import type { ClauseResult } from '../clause-result.ts';
import { offsetText } from '../exchange-text.ts';
import { outcomeWords } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import { cut, type Layout, layoutOf, type TerminalOptions, wrap } from '../terminal/layout.ts';
import { clauseTable } from '../terminal/result-table.ts';
import { tableLines } from '../terminal/table.ts';
import { countsText, lastLine, runLine } from '../terminal/verdict-line.ts';
import { violationHead, violationSections } from '../terminal/violations.ts';
import type { ClientReport } from './client-report.ts';

/** A report on a client as text for people: the clauses, what is violated with its evidence, the verdict last. */
export function renderClientTerminal(report: ClientReport, options: TerminalOptions): string {
  const layout = layoutOf(options);
  const isKept = report.outcome === 'conformant' && report.refused === 0;
  const word = isKept ? 'kept; never refused' : outcomeWords[report.outcome];
  const lines = [
    `a client at the proving ground, ${howMany(report.requests, 'request')}`,
    runLine(report),
    // Where no request came, eight open clauses would hide that.
    ...(report.requests === 0 ? [] : body(report, layout)),
    '',
    ...report.outcomeReasons.flatMap((reason) => wrap(`${reason}.`, layout.columns)),
    lastLine(report, { word, counts: countsText(report) }, layout),
  ];
  return `${lines.join('\n')}\n`;
}

function body(report: ClientReport, layout: Layout): readonly string[] {
  const { clauses } = report;
  return [
    ...clauseTable(clauses, layout),
    ...violationSections(clauses, layout, (clause) => violationOf(clause, layout)),
    '',
    ...wrap(premises(report), layout.columns).map((line) => layout.paint('detail', line)),
  ];
}

/** One clause that the client broke, with requests that show it. */
function violationOf(result: ClauseResult, layout: Layout): readonly string[] {
  if (result.verdict.kind !== 'violated') return [];
  const { exchanges } = result.verdict.evidence;
  return [
    ...violationHead(result, null, layout),
    ...(exchanges.length === 0 ? [] : arrivalLines(exchanges, layout)),
  ];
}

function arrivalLines(exchanges: readonly QuotedExchange[], layout: Layout): readonly string[] {
  const rows = exchanges.map(({ sentMs, status, body: said, method, path, key, requestId, purpose }) => [
    offsetText(sentMs),
    `${status ?? 'no answer'}${said === null ? '' : `, ${plainText(said, 60)}`}`,
    plainText(`key ${key ?? '–'}, request ${shortId(requestId)}, ${method} ${path}, ${purpose}`, 200),
  ]);
  const table = tableLines(rows, { alignments: ['right', 'left', 'left'] });
  return [
    '  for instance, with times of arrival after the first:',
    ...table.map((line) => layout.paint('detail', cut(`    ${line}`, layout.columns))),
  ];
}

/** Enough to see which attempts are of one request; what they are recognised by is said above. */
function shortId(requestId: string): string {
  return (requestId.split(' ').at(-1) ?? requestId).slice(0, 6);
}

const lessonText = {
  limits: 'had these limits from the start',
  refusals: 'was refused everything at first',
} as const satisfies Record<ClientReport['lessons'][string], string>;

function premises({ limits, windowMs, lessons }: ClientReport): string {
  const rates = Object.entries(limits).map(([scope, limit]) => `${scope} ${limit}`);
  const said = Object.entries(lessons).map(([key, lesson]) => `Key ${key} ${lessonText[lesson]}.`);
  return (
    `Limits: ${rates.join(', ')} in ${windowMs / 1_000} s, for each key. ${said.join(' ')} All times are the service’s own. ` +
    'A retry is recognised by its Idempotency-Key; without one, by method, path and body, if these differ from request to request. ' +
    'The client’s clock may run up to 0.04 % fast or slow, and may count in whole milliseconds.'
  );
}
