import type { Document } from '../../contract/document/document.ts';
import type { QuotedExchange } from '../../contract/verdict.ts';
import type { ClauseResult } from '../clause-result.ts';
import { damageText } from '../damage-text.ts';
import { headerText, offsetText, requestText, totalText } from '../exchange-text.ts';
import { failureText } from '../failure-text.ts';
import { plainText } from '../plain-text.ts';
import { type QuotedHeader, quotedHeaders } from '../quoted-headers.ts';
import type { Report } from '../result.ts';
import { type DecidedClause, verdictTone } from '../verdict-text.ts';
import { cut, type Layout, labelled, wrap } from './layout.ts';
import { tableLines } from './table.ts';

/** Characters of one error body that are shown; the trace holds more. */
const bodyCharactersShown = 320;
const headerCharactersShown = 20;

/** What is violated and what falls short, with all of its evidence. */
export function violationDetails(report: Report, layout: Layout): readonly string[] {
  return violationSections(report.clauses, layout, (result) => violationLines(result, report, layout));
}

/** What is violated, then what falls short, each in the lines of `linesOf`; an empty section is left out. */
export function violationSections<Result extends DecidedClause>(
  results: readonly Result[],
  layout: Layout,
  linesOf: (result: Result) => readonly string[],
): readonly string[] {
  const violated = results.filter(({ verdict }) => verdict.kind === 'violated');
  const section = (heading: string, own: readonly Result[]): readonly string[] =>
    own.length === 0
      ? []
      : ['', layout.paint('heading', heading), ...own.flatMap((result) => ['', ...linesOf(result)])];
  return [
    ...section(
      'Violated',
      violated.filter(({ level }) => level === 'must'),
    ),
    ...section(
      'Shortcomings (they do not decide)',
      violated.filter(({ level }) => level !== 'must'),
    ),
  ];
}

/** One violation: the requirement, what was expected and observed, and the exchanges that prove it. */
export function violationLines(
  result: ClauseResult,
  { deployment }: Pick<Report, 'deployment'>,
  layout: Layout,
): readonly string[] {
  const { verdict } = result;
  if (verdict.kind !== 'violated') return [];
  const { exchanges, exchangesTotal } = verdict.evidence;
  const total = totalText(exchangesTotal);
  const shown = exchanges.length < exchangesTotal ? `${total}, ${exchanges.length} of them here` : total;
  return [
    ...violationHead(result, deployment.document, layout),
    `  ${shown}; times relative to the first:`,
    ...quotedLines(exchanges, {
      layout,
      headers: quotedHeaders(exchanges, deployment.document),
      bodies: result.section === 'Errors' ? 'whole' : 'begun',
    }),
  ];
}

/**
 * How every violation begins: the failure and its consequence, the requirement, what was observed, and the fix. The
 * document is `null` for a clause on a client or a delivery.
 */
export function violationHead(
  result: ClauseResult,
  document: Document | null,
  layout: Layout,
): readonly string[] {
  const { id, requirement, verdict, certificate } = result;
  if (verdict.kind !== 'violated') return [];
  const { expected, observed } = verdict.evidence;
  const worst = damageText(result);
  const { title, consequence, fix } = failureText(result, document);
  const space = { columns: layout.columns, indent: 2, labelWidth: 8 };
  return [
    ...wrap(`${id}: ${title}`, layout.columns).map((line) => layout.paint(verdictTone(result), line)),
    ...(consequence === undefined ? [] : wrap(consequence, layout.columns - 2).map((line) => `  ${line}`)),
    ...labelled('required', requirement, space),
    ...labelled('expected', plainText(expected, 600), space),
    ...labelled('observed', plainText(observed, 600), space),
    ...(worst === null ? [] : labelled('worst', worst, space)),
    ...(fix === undefined ? [] : labelled('to fix', fix, space)),
    ...(certificate === undefined ? [] : labelled('proof', certificate, space)),
  ];
}

/** A clause on errors is judged by the body, so that the whole body is shown; elsewhere its beginning is enough. */
type Shown = {
  readonly layout: Layout;
  readonly headers: readonly QuotedHeader[];
  readonly bodies: 'whole' | 'begun';
};

function quotedLines(exchanges: readonly QuotedExchange[], shown: Shown): readonly string[] {
  const { layout, headers } = shown;
  const head = ['sent', 'answered', 'status', ...headers, 'request id'];
  const rows = exchanges.map((exchange) => [
    offsetText(exchange.sentMs),
    exchange.receivedMs === null ? 'never' : offsetText(exchange.receivedMs),
    exchange.status === null ? 'none' : String(exchange.status),
    ...headers.map((header) => headerText(exchange, header, headerCharactersShown)),
    plainText(exchange.requestId, 80),
  ]);
  const [headLine = '', ...lines] = tableLines([head, ...rows], {
    alignments: head.map((_, at) => (at < head.length - 1 ? 'right' : 'left')),
  });
  const quoted = lines.flatMap((line, at) => {
    const exchange = exchanges[at];
    const before = exchanges[at - 1];
    if (exchange === undefined) return [];
    const request = requestText(exchange);
    const isSame = before !== undefined && requestText(before) === request;
    return [
      `    ${line}`,
      ...(isSame ? [] : [layout.paint('detail', cut(`      ${request}`, layout.columns))]),
      ...(exchange.body === before?.body ? [] : bodyLines(exchange.body, shown)),
    ];
  });
  return [layout.paint('detail', `    ${headLine}`), ...quoted];
}

function bodyLines(body: string | null, { layout, bodies }: Shown): readonly string[] {
  if (body === null || body === '') return [];
  const text = plainText(body, bodyCharactersShown);
  if (bodies === 'begun') return [layout.paint('detail', cut(`      ${text}`, layout.columns))];
  return labelled('body', text, { columns: layout.columns, indent: 6, labelWidth: 4 });
}
