import Table from 'cli-table3';
import type { Row } from './tally.ts';
import type { Conditions } from './trial.ts';

/** Seeds below this were used while the identification was tuned; the figures reported come from others. */
export const tunedBelowSeed = 10_000_000;

export type ConfusionResult = {
  readonly rows: readonly Row[];
  readonly problems: readonly string[];
  readonly firstSeed: number;
  readonly runs: number;
  readonly conditions: Conditions;
};

/** The conditions, a row for each class and limit, the seeds of what went otherwise, and the targets missed. */
export function confusionText({ rows, problems, firstSeed, runs, conditions }: ConfusionResult): string {
  const { windowMs, expectedWindowMs, jitterMs, windows } = conditions;
  const expected =
    expectedWindowMs === null ? 'no window expected' : `${expectedWindowMs / 1_000} s expected`;
  const lines = [
    `${runs} runs each, seeds ${firstSeed} to ${firstSeed + runs - 1} (tuned on seeds below ${tunedBelowSeed}), ` +
      `windows of ${windowMs / 1_000} s, ${expected}, limit unknown, ${jitterMs} ± ${jitterMs} ms each way, watched: ${windows}`,
    'rows that name another length have fewer runs',
    tableOf(rows),
    'alike: named another that would have decided each request of the run as the true one did; ' +
      'ms: one identification, median / 99th percentile; s: a whole run in virtual time, median / longest',
    ...rows.flatMap(otherwise),
    ...problems.map((problem) => `MISSED ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** A heading of the table, and what stands below it. */
const columns: readonly (readonly [head: string, cell: (row: Row) => string | number])[] = [
  ['limiter', ({ name }) => name],
  ['N', ({ limit }) => limit],
  ['alone', ({ alone }) => alone],
  ['tied', ({ tied }) => tied],
  ['alike', ({ alike }) => alike],
  ['missed', ({ missed }) => missed],
  ['N wrong', ({ wrongLimits }) => wrongLimits],
  ['W off', ({ wrongLengths }) => wrongLengths],
  ['W dishonest', ({ dishonestIntervals }) => dishonestIntervals],
  ['W error', ({ windowErrorSecondsMax }) => windowErrorSecondsMax.toFixed(2)],
  ['W width', ({ intervalSecondsMedian }) => intervalSecondsMedian?.toFixed(2) ?? 'open'],
  ['ms', (row) => `${row.identifyMsMedian.toFixed(1)} / ${row.identifyMsP99.toFixed(1)}`],
  ['requests', ({ requestsMax }) => requestsMax],
  ['s', ({ secondsMedian, secondsMax }) => `${secondsMedian.toFixed(0)} / ${secondsMax.toFixed(0)}`],
];

function tableOf(rows: readonly Row[]): string {
  const table = new Table({ head: columns.map(([head]) => head), style: { head: [], border: [] } });
  for (const row of rows) table.push(columns.map(([, cell]) => cell(row)));
  return table.toString();
}

/** Runs that can be played again with `--first-seed`, of those that went alike. */
const seedsShown = 3;

function otherwise({ name, limit, instead }: Row): readonly string[] {
  return Object.entries(instead).map(([what, seeds]) => {
    const some = seeds.slice(0, seedsShown).join(', ');
    const more = seeds.length > seedsShown ? ', …' : '';
    return `${name}, ${limit}: ${seeds.length} times ${what} (seed ${some}${more})`;
  });
}
