import type { MatrixRow } from './kill-matrix.ts';

/** Columns of one cell. */
const cellWidth = 5;

/**
 * The matrix as lines of text: a row for each subject, a column for each clause, numbered. `●` is a clause that must be
 * violated and was in every run, a figure the percentage of runs in which it was.
 * @param ids of all clauses, in the order of the columns.
 */
export function matrixText(rows: readonly ShownRow[], ids: readonly string[]): readonly string[] {
  const columns = ids.filter((id) => rows.some((row) => concerns(row, id)));
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const numbers = columns.map((_, at) => String(at + 1).padStart(cellWidth)).join('');
  const legend = columns.map((id, at) => `${String(at + 1).padStart(cellWidth)}  ${id}`);
  const head = `${''.padEnd(nameWidth)}${numbers}`;
  return [...legend, '', head, ...rows.map((row) => rowText(row, columns, nameWidth).trimEnd())];
}

/** The part of a row that is shown. */
type ShownRow = Pick<MatrixRow, 'name' | 'runs'> & {
  readonly must: readonly string[];
  readonly leavesOpen?: readonly string[];
  readonly violated: Readonly<Partial<Record<string, number>>>;
};

function rowText(row: ShownRow, columns: readonly string[], nameWidth: number): string {
  return `${row.name.padEnd(nameWidth)}${columns.map((id) => cellText(row, id).padStart(cellWidth)).join('')}`;
}

function cellText(row: ShownRow, id: string): string {
  const count = row.violated[id] ?? 0;
  if (row.must.includes(id)) return count === row.runs ? '●' : percentText(count, row.runs);
  if (count > 0) return percentText(count, row.runs);
  return row.leavesOpen?.includes(id) === true ? '?' : '';
}

/** Never rounded to 0 or 100 where it is neither. */
function percentText(count: number, runs: number): string {
  const percent = (100 * count) / runs;
  if (count > 0 && count < runs) return Math.min(99.9, Math.max(0.1, percent)).toFixed(1);
  return percent.toFixed(0);
}

function concerns({ must, leavesOpen = [], violated }: ShownRow, id: string): boolean {
  return must.includes(id) || leavesOpen.includes(id) || violated[id] !== undefined;
}
