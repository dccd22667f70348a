import { clauses } from '../../contract/clauses/registry.ts';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import { counted } from '../command.ts';
import type { SenderRow } from '../webhooks/sender-matrix.ts';
import type { MatrixFigures, MatrixRow } from './kill-matrix.ts';
import { missesOf } from './problems.ts';
import type { Matrices } from './seed-batch.ts';

export type GateResult = Matrices & {
  readonly figures: MatrixFigures & { readonly seconds: number; readonly workers: number };
  readonly problems: readonly string[];
};

const legend =
  '● violated in every run, as it must be; a number: the percentage of runs in which it was violated; ? cannot be proved';

/** What the gate says in the end: both matrices, the figures, and what is wrong. */
export function gateText({ matrix, senders, figures, problems }: GateResult): string {
  const { faults, variants, runs, caught, seconds, workers } = figures;
  const rate = (runs / seconds).toFixed(0);
  const lines = [
    ...matrixText(
      matrix.rows,
      clauses.map(({ id }) => id),
    ),
    '\nWebhooks, sender by sender:\n',
    ...matrixText(
      senders,
      webhookClauses.map(({ id }) => id),
    ),
    `\n${legend}\n`,
    `subjects  ${faults} faults, ${variants} variants, and the service as documented`,
    `webhooks  ${sendersText(senders)}`,
    `runs      ${runs}, each one whole run of all scopes; ${counted(matrix.seeds, 'seed')}`,
    `caught    ${(100 * caught).toFixed(3)} % of the runs with a fault`,
    `rate      ${rate} runs a second on ${counted(workers, 'core')}`,
    ...missesOf(matrix).map((miss) => `undecided ${miss}`),
    ...problems.map((problem) => `PROBLEM   ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}

function sendersText(senders: readonly SenderRow[]): string {
  const faults = senders.filter(({ kind }) => kind === 'fault');
  const runs = faults.reduce((sum, row) => sum + row.runs, 0);
  const caught = faults.reduce((sum, row) => sum + row.caught, 0);
  const variants = senders.filter(({ kind }) => kind === 'variant').length;
  return `${faults.length} faults, ${variants} variants; caught in ${caught} of ${runs} runs with a fault`;
}

/** Columns of one cell. */
const cellWidth = 5;

/**
 * The matrix as lines of text: a row for each subject, a column for each clause, numbered. `●` is a clause that must be
 * violated and was in every run, a figure the percentage of runs in which it was.
 * @param ids of all clauses, in the order of the columns.
 */
function matrixText(rows: readonly ShownRow[], ids: readonly string[]): readonly string[] {
  const columns = ids.filter((id) => rows.some((row) => concerns(row, id)));
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const numbers = columns.map((_, at) => String(at + 1).padStart(cellWidth)).join('');
  const names = columns.map((id, at) => `${String(at + 1).padStart(cellWidth)}  ${id}`);
  const head = `${''.padEnd(nameWidth)}${numbers}`;
  return [...names, '', head, ...rows.map((row) => rowText(row, columns, nameWidth).trimEnd())];
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
