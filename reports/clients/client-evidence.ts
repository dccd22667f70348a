import type { QuotedExchange } from '../../contract/verdict.ts';
import { plainText } from '../plain-text.ts';
import type { ClauseResult } from '../result.ts';
import { cut, type Layout, labelled, tableLines, wrap } from '../terminal/layout.ts';
import type { ClientReport } from './client-report.ts';

/** What a client broke and where it falls short, each with requests that show it. */
export function clientViolations({ clauses }: ClientReport, layout: Layout): readonly string[] {
  const violated = clauses.filter(({ verdict }) => verdict.kind === 'violated');
  const must = violated.filter(({ level }) => level === 'must');
  const others = violated.filter(({ level }) => level !== 'must');
  return [
    ...section('Violated', must, layout),
    ...section('Shortcomings (they do not decide conformance)', others, layout),
  ];
}

function section(title: string, results: readonly ClauseResult[], layout: Layout): readonly string[] {
  if (results.length === 0) return [];
  return ['', layout.paint('bold', title), ...results.flatMap((result) => ['', ...lines(result, layout)])];
}

function lines({ id, level, requirement, verdict }: ClauseResult, layout: Layout): readonly string[] {
  if (verdict.kind !== 'violated') return [];
  const { expected, observed, exchanges } = verdict.evidence;
  const space = { columns: layout.columns, indent: 2, labelWidth: 8 };
  return [
    layout.paint(level === 'must' ? 'red' : 'yellow', `${id}: ${plainText(verdict.reason, 80)}`),
    ...wrap(requirement, layout.columns - 2).map((line) => `  ${line}`),
    ...labelled('expected', plainText(expected, 600), space),
    ...labelled('observed', plainText(observed, 600), space),
    ...(exchanges.length === 0 ? [] : arrivalLines(exchanges, layout)),
  ];
}

function arrivalLines(exchanges: readonly QuotedExchange[], layout: Layout): readonly string[] {
  const rows = exchanges.map(({ sentMs, status, body, method, path, key, requestId, purpose }) => [
    `+${(sentMs / 1_000).toFixed(3)} s`,
    `${status ?? 'no answer'}${body === null ? '' : `, ${plainText(body, 60)}`}`,
    plainText(`${method} ${path}, key ${key ?? '–'}, ${purpose}, ${requestId}`, 200),
  ]);
  const table = tableLines(rows, { alignments: ['right', 'left', 'left'] });
  return ['  for instance, times of arrival from the first:', ...table].map((line, at) =>
    at === 0 ? line : layout.paint('dim', cut(`    ${line}`, layout.columns)),
  );
}
