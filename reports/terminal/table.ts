import Table from 'cli-table3';

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

export type TableOptions = {
  /** Cells that are wider are cut with an ellipsis; without it every column is as wide as its widest cell. */
  readonly widths?: readonly number[];
  readonly alignments?: readonly ('left' | 'right')[];
};

/** Aligned lines without borders: columns two spaces apart, nothing after the last character. */
export function tableLines(
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): readonly string[] {
  const table = new Table({
    chars: noBorders,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    ...(options.widths === undefined ? {} : { colWidths: [...options.widths] }),
    ...(options.alignments === undefined ? {} : { colAligns: [...options.alignments] }),
  });
  table.push(...rows.map((row) => [...row]));
  return rows.length === 0
    ? []
    : table
        .toString()
        .split('\n')
        .map((line) => line.trimEnd());
}
