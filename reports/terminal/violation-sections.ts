import { plainText } from '../plain-text.ts';
import type { ClauseResult } from '../result.ts';
import { type Layout, labelled, wrap } from './layout.ts';

/** What is violated, then what falls short, each told by `linesOf`; a section without anything is left out. */
export function violationSections(
  results: readonly ClauseResult[],
  layout: Layout,
  linesOf: (result: ClauseResult) => readonly string[],
): readonly string[] {
  const violated = results.filter(({ verdict }) => verdict.kind === 'violated');
  const section = (title: string, own: readonly ClauseResult[]): readonly string[] =>
    own.length === 0
      ? []
      : ['', layout.paint('bold', title), ...own.flatMap((result) => ['', ...linesOf(result)])];
  return [
    ...section(
      'Violated',
      violated.filter(({ level }) => level === 'must'),
    ),
    ...section(
      'Shortcomings (they do not decide conformance)',
      violated.filter(({ level }) => level !== 'must'),
    ),
  ];
}

/** How every violation begins: the clause and its reason, the requirement, what was expected and what observed. */
export function violationHead(
  { id, level, requirement, verdict }: ClauseResult,
  layout: Layout,
): readonly string[] {
  if (verdict.kind !== 'violated') return [];
  const { expected, observed } = verdict.evidence;
  const space = { columns: layout.columns, indent: 2, labelWidth: 8 };
  return [
    layout.paint(level === 'must' ? 'red' : 'yellow', `${id}: ${plainText(verdict.reason, 80)}`),
    ...wrap(requirement, layout.columns - 2).map((line) => `  ${line}`),
    ...labelled('expected', plainText(expected, 600), space),
    ...labelled('observed', plainText(observed, 600), space),
  ];
}
