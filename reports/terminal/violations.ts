import { seconds } from '../../contract/quantities.ts';
import type { QuotedExchange } from '../../contract/verdict.ts';
import { plainText } from '../plain-text.ts';
import type { ClauseResult, Report } from '../result.ts';
import { cut, type Layout, labelled, tableLines } from './layout.ts';
import { violationHead, violationSections } from './violation-sections.ts';

/** Characters of one error body that are shown; the trace holds more. */
const bodyCharactersShown = 320;
const headerCharactersShown = 20;

/** What is violated and what falls short, with all of its evidence. */
export function violationDetails(report: Report, layout: Layout): readonly string[] {
  return violationSections(report.clauses, layout, (result) => violationLines(result, layout));
}

/** One violation: the requirement, what was expected and observed, and the exchanges that prove it. */
export function violationLines(result: ClauseResult, layout: Layout): readonly string[] {
  const { verdict } = result;
  if (verdict.kind !== 'violated') return [];
  const { exchanges, exchangesTotal } = verdict.evidence;
  const total = `${exchangesTotal} ${exchangesTotal === 1 ? 'exchange shows' : 'exchanges show'} it`;
  const shown = exchanges.length < exchangesTotal ? `${total}, ${exchanges.length} of them here` : total;
  return [
    ...violationHead(result, layout),
    `  ${shown}; times relative to the first:`,
    ...quotedLines(exchanges, { layout, bodies: result.section === 'Errors' ? 'whole' : 'begun' }),
  ];
}

const head = ['sent', 'answered', 'status', 'limit', 'remaining', 'reset', 'request id'];

/** What errors say is the evidence itself where errors are judged, and beside the point elsewhere. */
type Shown = { readonly layout: Layout; readonly bodies: 'whole' | 'begun' };

function quotedLines(exchanges: readonly QuotedExchange[], shown: Shown): readonly string[] {
  const { layout } = shown;
  const rows = exchanges.map((exchange) => [
    relative(exchange.sentMs),
    exchange.receivedMs === null ? 'never' : relative(exchange.receivedMs),
    exchange.status === null ? 'none' : String(exchange.status),
    header(exchange, 'limit'),
    header(exchange, 'remaining'),
    header(exchange, 'reset'),
    plainText(exchange.requestId, 80),
  ]);
  const [headLine = '', ...lines] = tableLines([head, ...rows], {
    alignments: ['right', 'right', 'right', 'right', 'right', 'right', 'left'],
  });
  let bodyBefore: string | null = null;
  const quoted = lines.flatMap((line, at) => {
    const exchange = exchanges[at];
    if (exchange === undefined) return [];
    const body = exchange.body === bodyBefore ? [] : bodyLines(exchange.body, shown);
    bodyBefore = exchange.body;
    return [
      `    ${line}`,
      layout.paint('dim', cut(`      ${whatWasSent(exchange)}`, layout.columns)),
      ...body,
    ];
  });
  return [layout.paint('dim', `    ${headLine}`), ...quoted];
}

function whatWasSent({ purpose, method, path, scope, key }: QuotedExchange): string {
  const who = key === null ? 'without a valid key' : `key ${key}`;
  return plainText(`${method} ${path}, ${who}, scope ${scope} (${purpose})`, 200);
}

function bodyLines(body: string | null, { layout, bodies }: Shown): readonly string[] {
  if (body === null || body === '') return [];
  const text = plainText(body, bodyCharactersShown);
  if (bodies === 'begun') return [layout.paint('dim', cut(`      ${text}`, layout.columns))];
  return labelled('body', text, { columns: layout.columns, indent: 6, labelWidth: 4 });
}

function header(exchange: QuotedExchange, name: 'limit' | 'remaining' | 'reset'): string {
  const value = exchange[name];
  if (value !== null) return plainText(value, headerCharactersShown);
  return exchange.status === null ? '-' : 'absent';
}

function relative(ms: number): string {
  return `${ms < 0 ? '-' : '+'}${seconds(Math.abs(ms))}`;
}
