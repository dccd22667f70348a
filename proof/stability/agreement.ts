import { clauses } from '../../contract/clauses/registry.ts';
import type { VerdictKind } from '../../reports/outcome.ts';

export type RunVerdicts = {
  readonly subject: string;
  /** Where the run is saved. */
  readonly traceFile: string;
  /** What every clause came to, by its id. */
  readonly verdicts: ReadonlyMap<string, VerdictKind>;
};

/** How far repeated runs against one service agree. */
export type Agreement = {
  readonly subject: string;
  readonly runs: number;
  /** Runs whose verdicts on all `must` clauses are those of most runs. */
  readonly equal: number;
  /** The traces of the others. */
  readonly unlike: readonly string[];
  /** The `must` clauses that every run holds or violates: where there is none, equal verdicts mean nothing. */
  readonly decided: number;
  /** The `must` clauses on which runs differ, with how many runs said what. */
  readonly differing: readonly {
    readonly clause: string;
    readonly said: Readonly<Partial<Record<VerdictKind, number>>>;
  }[];
};

/** Compares the runs of one subject, clause by clause. */
export function agreementOf(subject: string, all: readonly RunVerdicts[]): Agreement {
  const runs = all.filter((run) => run.subject === subject);
  const must = clauses.filter(({ level }) => level === 'must').map(({ id }) => id);
  const byClause = must.map((clause) => {
    const said: Partial<Record<VerdictKind, number>> = {};
    for (const { verdicts } of runs) {
      const kind = verdicts.get(clause);
      if (kind !== undefined) said[kind] = (said[kind] ?? 0) + 1;
    }
    return { clause, said };
  });
  const usual = new Map(byClause.map(({ clause, said }) => [clause, mostSaid(said)]));
  const unlike = runs.filter(({ verdicts }) => must.some((id) => verdicts.get(id) !== usual.get(id)));
  return {
    subject,
    runs: runs.length,
    equal: runs.length - unlike.length,
    unlike: unlike.map(({ traceFile }) => traceFile),
    decided: byClause.filter(({ said }) => isDecided(said)).length,
    differing: byClause.filter(({ said }) => Object.keys(said).length > 1),
  };
}

function isDecided(said: Readonly<Partial<Record<VerdictKind, number>>>): boolean {
  const kinds = Object.keys(said);
  return kinds.length > 0 && kinds.every((kind) => kind === 'held' || kind === 'violated');
}

/** Whether equal verdicts were shown: all runs of each subject agree, and say something. */
export function isStable(agreements: readonly Agreement[]): boolean {
  return agreements.every(({ differing, decided }) => differing.length === 0 && decided > 0);
}

function mostSaid(said: Readonly<Partial<Record<VerdictKind, number>>>): VerdictKind | undefined {
  const [most] = Object.entries(said).toSorted(([, left], [, right]) => right - left);
  return most?.[0] as VerdictKind | undefined;
}

export function stabilityText(agreements: readonly Agreement[]): string {
  const lines = agreements.flatMap(({ subject, runs, equal, unlike, decided, differing }) => [
    `${subject.padEnd(16)}${equal} of ${runs} runs have equal verdicts; ${decided} must clauses are decided in all of them`,
    ...differing.map(
      ({ clause, said }) =>
        `  differs  ${clause}: ${Object.entries(said)
          .map(([kind, count]) => `${kind} ${count}`)
          .join(', ')}`,
    ),
    ...unlike.map((traceFile) => `  unlike   ${traceFile}`),
  ]);
  return `${lines.join('\n')}\n`;
}
