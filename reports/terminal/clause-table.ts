import type { ClauseResult, Report } from '../result.ts';
import { evidenceOf, verdictWord } from '../verdict-text.ts';
import type { Layout } from './layout.ts';
import { resultLines } from './result-row.ts';

/** Every clause with its verdict and the decisive evidence in one line, by section of the document. */
export function clauseTable({ clauses }: Pick<Report, 'clauses'>, layout: Layout): readonly string[] {
  const sections = [...new Set(clauses.map(({ section }) => section))];
  return sections.flatMap((section) => {
    const rows = clauses.filter((clause) => clause.section === section);
    return ['', layout.paint('bold', section), ...rows.flatMap((clause) => clauseLines(clause, layout))];
  });
}

function clauseLines(clause: ClauseResult, layout: Layout): readonly string[] {
  const { id, title, verdict } = clause;
  return resultLines({ word: paintedWord(clause, layout), id, title, evidence: evidenceOf(verdict) }, layout);
}

function paintedWord(clause: ClauseResult, layout: Layout): string {
  const word = verdictWord(clause);
  switch (clause.verdict.kind) {
    case 'held':
      return layout.paint('green', word);
    case 'violated':
      return layout.paint(clause.level === 'must' ? 'red' : 'yellow', word);
    case 'crashed':
      return layout.paint('red', word);
    case 'inconclusive':
      return layout.paint('yellow', word);
    case 'observed':
    case 'not-applicable':
      return layout.paint('cyan', word);
    default:
      throw new Error(`no colour for ${clause.verdict satisfies never}`);
  }
}
