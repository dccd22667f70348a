import { availableParallelism } from 'node:os';
import process from 'node:process';
import type { SmallLimit } from '../../run/own-suite/testing/small-limiters.ts';

/** How often one test ended in which way. */
export type Row = {
  readonly group: 'naive' | 'ours' | 'bug';
  readonly name: string;
  /** What a naive test takes for granted. */
  readonly note: string;
  readonly kinds: ReadonlyMap<string, number>;
};

/** How the tests ran. */
export type Setting = {
  /** Of the limiters that `keepsLimit` tests. */
  readonly rule: SmallLimit;
  readonly together: number;
  readonly isCalm: boolean;
};

/** docs/flakes.md */
export function pageOf(rows: readonly Row[], { rule, together, isCalm }: Setting): string {
  const { limit, windowMs } = rule;
  const cores = availableParallelism();
  const busy = isCalm
    ? `${cores} cores without other work of its own`
    : `${cores} cores, all of them kept busy by \`stress-ng --cpu ${cores}\``;
  const of = (group: Row['group']): readonly Row[] => rows.filter((row) => row.group === group);
  const naive = of('naive').map(
    (row) => `| ${row.name} | ${row.note} | ${count(row, 'failed')} of ${total(row)} |`,
  );
  const ours = [...of('ours'), ...of('bug')].map(
    (row) =>
      `| ${row.name} | ${total(row)} | ${['passed', 'broken', 'too-slow', 'undecided', 'not-asked'].map((kind) => count(row, kind)).join(' | ')} |`,
  );
  return `# How often tests of rate limits fail for no reason

Written by \`npm run flakes -- --write\`, which repeats it: ${busy},
Node ${process.versions.node}, ${together} tests at a time, each with an app of its own in the same process. Other work on the machine makes the
figures higher, a calm one lower (\`--calm\`).

## Tests as people write them

Each app keeps its promise: every failure is a mistake of the test. Limit 10, window 1 s. These are rebuilt from the kinds of tests that
projects of this field mark as flaky, not copied.

| test | what it takes for granted | fails |
| --- | --- | --- |
${naive.join('\n')}

## The same limits, tested by \`keepsLimit\`

Limit ${limit}, window ${windowMs / 1_000} s, rolling. Only *broken* speaks against the limiter. *Too slow* and *undecided* say that four looks
proved nothing. The first limiter keeps its limit; the others have the bug that is named, and must never pass.

| limiter | runs | passed | broken | too slow | undecided | not asked |
| --- | --- | --- | --- | --- | --- | --- |
${ours.join('\n')}
`;
}

function count({ kinds }: Row, kind: string): number {
  return kinds.get(kind) ?? 0;
}

function total({ kinds }: Row): number {
  return [...kinds.values()].reduce((sum, one) => sum + one, 0);
}
