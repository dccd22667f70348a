import { plainText } from '../plain-text.ts';
import { cut, type Layout, tableLines, wrap } from './layout.ts';

const wordWidth = 12;
const idWidth = 26;
const titleWidth = 40;
/** From here on a result fits one line: word, id, title and evidence two spaces apart. */
const oneLineColumns = wordWidth + idWidth + titleWidth + 6 + 40;

export type ResultRow = {
  /** The verdict in a word, with its colour. */
  readonly word: string;
  readonly id: string;
  readonly title: string;
  /** What decided, as it came from the target. */
  readonly evidence: string;
};

/** One result: its evidence beside it where there is room, else below it. */
export function resultLines({ word, id, title, evidence }: ResultRow, layout: Layout): readonly string[] {
  if (layout.columns >= oneLineColumns) {
    const widths = [wordWidth, idWidth, titleWidth, layout.columns - wordWidth - idWidth - titleWidth - 6];
    const [first = '', ...others] = evidenceLines(evidence, widths[3] ?? 0);
    return tableLines([[word, id, title, first], ...others.map((line) => ['', '', '', line])], { widths });
  }
  const head = tableLines([[word, id, title]], {
    widths: [wordWidth, idWidth, layout.columns - wordWidth - idWidth - 4],
  });
  const widths = [wordWidth, layout.columns - wordWidth - 2];
  const below = evidenceLines(evidence, widths[1] ?? 0).map((line) => ['', line]);
  return [...head, ...tableLines(below, { widths }).map((line) => layout.paint('dim', line))];
}

/** A target may say a lot; why a clause is open takes two or three lines. */
const evidenceLinesMax = 4;

function evidenceLines(evidence: string, width: number): readonly string[] {
  const lines = wrap(plainText(evidence, width * evidenceLinesMax), width);
  const shown = lines.slice(0, evidenceLinesMax).map((line) => cut(line, width));
  return lines.length > shown.length ? [...shown.slice(0, -1), cut(`${shown.at(-1)} …`, width)] : shown;
}
