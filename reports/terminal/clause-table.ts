import { plainText } from '../plain-text.ts';
import type { ClauseResult, Report } from '../result.ts';
import { evidenceOf, verdictWord } from '../verdict-text.ts';
import { type Layout, tableLines } from './layout.ts';

const wordWidth = 12;
const idWidth = 26;
const titleWidth = 40;
/** From here on a clause fits one line: word, id, title and evidence two spaces apart. */
const oneLineColumns = wordWidth + idWidth + titleWidth + 6 + 40;

/** Every clause with its verdict and the decisive evidence in one line, by section of the document. */
export function clauseTable(report: Report, layout: Layout): readonly string[] {
  const sections = [...new Set(report.clauses.map(({ section }) => section))];
  return sections.flatMap((section) => {
    const rows = report.clauses.filter((clause) => clause.section === section);
    return ['', layout.paint('bold', section), ...rows.flatMap((clause) => clauseLines(clause, layout))];
  });
}

function clauseLines(clause: ClauseResult, layout: Layout): readonly string[] {
  const word = paintedWord(clause, layout);
  const evidence = plainText(evidenceOf(clause.verdict), layout.columns);
  if (layout.columns >= oneLineColumns) {
    const widths = [wordWidth, idWidth, titleWidth, layout.columns - wordWidth - idWidth - titleWidth - 6];
    return tableLines([[word, clause.id, clause.title, evidence]], { widths });
  }
  const head = tableLines([[word, clause.id, clause.title]], {
    widths: [wordWidth, idWidth, layout.columns - wordWidth - idWidth - 4],
  });
  const below = tableLines([['', evidence]], { widths: [wordWidth, layout.columns - wordWidth - 2] });
  return [...head, ...below.map((line) => layout.paint('dim', line))];
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
