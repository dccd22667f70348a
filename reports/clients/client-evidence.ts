import { seconds } from '../../contract/quantities.ts';
import type { QuotedExchange } from '../../contract/verdict.ts';
import { plainText } from '../plain-text.ts';
import type { ClauseResult } from '../result.ts';
import { cut, type Layout, tableLines } from '../terminal/layout.ts';
import { violationHead, violationSections } from '../terminal/violation-sections.ts';
import type { ClientReport } from './client-report.ts';

/** What a client broke and where it falls short, each with requests that show it. */
export function clientViolations({ clauses }: ClientReport, layout: Layout): readonly string[] {
  return violationSections(clauses, layout, (result) => lines(result, layout));
}

function lines(result: ClauseResult, layout: Layout): readonly string[] {
  if (result.verdict.kind !== 'violated') return [];
  const { exchanges } = result.verdict.evidence;
  return [
    ...violationHead(result, layout),
    ...(exchanges.length === 0 ? [] : arrivalLines(exchanges, layout)),
  ];
}

function arrivalLines(exchanges: readonly QuotedExchange[], layout: Layout): readonly string[] {
  const rows = exchanges.map(({ sentMs, status, body, method, path, key, requestId, purpose }) => [
    `+${seconds(sentMs)}`,
    `${status ?? 'no answer'}${body === null ? '' : `, ${plainText(body, 60)}`}`,
    plainText(`${method} ${path}, key ${key ?? '–'}, ${purpose}, ${requestId}`, 200),
  ]);
  const table = tableLines(rows, { alignments: ['right', 'left', 'left'] });
  return ['  for instance, times of arrival from the first:', ...table].map((line, at) =>
    at === 0 ? line : layout.paint('dim', cut(`    ${line}`, layout.columns)),
  );
}
