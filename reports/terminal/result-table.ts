import { greatestOf } from '../../contract/extremes.ts';
import type { ClauseResult } from '../clause-result.ts';
import { plainText } from '../plain-text.ts';
import { type DecidedClause, evidenceOf, verdictTone, verdictWord } from '../verdict-text.ts';
import { cut, type Layout, wrap } from './layout.ts';
import { tableLines } from './table.ts';

/** One result of a table. */
export type ResultRow = DecidedClause & {
  /** The verdict in a word. */
  readonly word: string;
  readonly id: string;
  readonly title: string;
  /** What decided; parts of it may come from the target. */
  readonly evidence: string;
};

export type ResultSection = { readonly title: string; readonly rows: readonly ResultRow[] };

/** Results by section, each with its verdict and what decided. Ids are whole: a baseline and a command need them. */
export function resultTable(sections: readonly ResultSection[], layout: Layout): readonly string[] {
  const ids = sections.flatMap(({ rows }) => rows.map(({ id }) => id.length));
  const roomForId = layout.columns - wordWidth - titleWidthMin - 4;
  const idWidth = Math.min(greatestOf([idWidthUsual, ...ids]), roomForId);
  return sections.flatMap(({ title, rows }) => [
    '',
    layout.paint('heading', title),
    ...rows.flatMap((row) => resultLines(row, layout, idWidth)),
  ]);
}

/** Every clause by section of the document. */
export function clauseTable(clauses: readonly ClauseResult[], layout: Layout): readonly string[] {
  const bySection = Map.groupBy(clauses, ({ section }) => section);
  const sections = [...bySection].map(([title, own]) => ({ title, rows: own.map(rowOf) }));
  return resultTable(sections, layout);
}

function rowOf(clause: ClauseResult): ResultRow {
  return { ...clause, word: verdictWord(clause), evidence: evidenceOf(clause.verdict) };
}

const wordWidth = 12;
const idWidthUsual = 26;
const titleWidth = 40;
const titleWidthMin = 20;

/** One result, with its evidence to the right where there is room, else below. */
function resultLines(row: ResultRow, layout: Layout, idWidth: number): readonly string[] {
  const { id, title, evidence } = row;
  const word = layout.paint(verdictTone(row), row.word);
  const besideWidth = layout.columns - wordWidth - idWidth - titleWidth - 6;
  if (besideWidth >= evidenceWidthMin && id.length <= idWidth) {
    const widths = [wordWidth, idWidth, titleWidth, besideWidth];
    const [first = '', ...others] = evidenceLines(evidence, besideWidth);
    return tableLines([[word, id, title, first], ...others.map((line) => ['', '', '', line])], { widths });
  }
  const belowWidths = [wordWidth, layout.columns - wordWidth - 2];
  const head =
    id.length <= idWidth
      ? tableLines([[word, id, title]], {
          widths: [wordWidth, idWidth, layout.columns - wordWidth - idWidth - 4],
        })
      : tableLines(
          [
            [word, id],
            ['', title],
          ],
          { widths: belowWidths },
        );
  const below = evidenceLines(evidence, belowWidths[1] ?? 0).map((line) => ['', line]);
  return [...head, ...tableLines(below, { widths: belowWidths }).map((line) => layout.paint('detail', line))];
}

/** With so much room for it, evidence stands to the right. */
const evidenceWidthMin = 40;

/** A target may send a long text; the reason why a clause is open takes two or three lines. */
const evidenceLinesMax = 4;

function evidenceLines(evidence: string, width: number): readonly string[] {
  const lines = wrap(plainText(evidence, width * evidenceLinesMax), width);
  const shown = lines.slice(0, evidenceLinesMax).map((line) => cut(line, width));
  return lines.length > shown.length ? [...shown.slice(0, -1), cut(`${shown.at(-1)} …`, width)] : shown;
}
