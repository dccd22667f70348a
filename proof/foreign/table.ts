import type { ForeignRun } from './foreign-batch.ts';

/** Each kind of violator, with the clauses that caught it; none where it was missed. */
export type CaughtTable = Readonly<Record<string, readonly string[]>>;

export function tableOf(runs: readonly ForeignRun[]): CaughtTable {
  const kinds = Map.groupBy(runs, ({ name }) => name);
  return Object.fromEntries(
    [...kinds]
      .map(([name, its]) => [name, [...new Set(its.flatMap(({ caughtBy }) => caughtBy))].sort()] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

/** How many traces each clause caught, and the kinds of which some trace was missed. */
export function tableText(runs: readonly ForeignRun[]): string {
  const byClause = Map.groupBy(
    runs.flatMap(({ caughtBy }) => caughtBy),
    (clause) => clause,
  );
  const clauses = [...byClause].map(([clause, { length }]) => ({ clause, count: length }));
  const kinds = [...Map.groupBy(runs, ({ name }) => name)].map(([name, its]) => ({
    name,
    count: its.length,
    missed: its.filter(({ caughtBy }) => caughtBy.length === 0).length,
  }));
  return [
    ...clauses
      .sort((left, right) => right.count - left.count)
      .map(({ clause, count }) => `  ${clause.padEnd(28)} caught ${count}`),
    ...kinds
      .filter(({ missed }) => missed > 0)
      .map(({ name, count, missed }) => `  missed ${missed} of ${count}: ${name}`),
  ].join('\n');
}
