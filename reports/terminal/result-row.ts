import { plainText } from '../plain-text.ts';
import { type Layout, tableLines } from './layout.ts';

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

/** One result: in a line where there is room, else with its evidence below it. */
export function resultLines({ word, id, title, evidence }: ResultRow, layout: Layout): readonly string[] {
  const shown = plainText(evidence, layout.columns);
  if (layout.columns >= oneLineColumns) {
    const widths = [wordWidth, idWidth, titleWidth, layout.columns - wordWidth - idWidth - titleWidth - 6];
    return tableLines([[word, id, title, shown]], { widths });
  }
  const head = tableLines([[word, id, title]], {
    widths: [wordWidth, idWidth, layout.columns - wordWidth - idWidth - 4],
  });
  const below = tableLines([['', shown]], { widths: [wordWidth, layout.columns - wordWidth - 2] });
  return [...head, ...below.map((line) => layout.paint('dim', line))];
}
