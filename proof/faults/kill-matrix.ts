import { type ClauseId, clauses } from '../../contract/clauses/registry.ts';
import { type Discrepancy, examine } from './examine.ts';
import type { Subject } from './subjects.ts';
import { answersDiffer, type WholeRun, wholeRun } from './whole-run.ts';

/** One discrepancy of all runs with a subject: how many runs had it, and the seed of the first. */
export type Finding = Discrepancy & { readonly runs: number; readonly seed: number };

/** What all runs with one subject said. */
export type MatrixRow = Pick<Subject, 'name' | 'kind' | 'must' | 'may' | 'leavesOpen' | 'seldom'> & {
  readonly runs: number;
  /** Runs in which each clause was violated. */
  readonly violated: Readonly<Partial<Record<ClauseId, number>>>;
  /** Runs in which all clauses were violated that must be. */
  readonly caught: number;
  /** Runs with an answer that the service as documented would not have given. */
  readonly exercised: number;
  readonly findings: readonly Finding[];
};

export type KillMatrix = { readonly seeds: number; readonly rows: readonly MatrixRow[] };

export type MatrixOptions = {
  readonly subjects: readonly Subject[];
  readonly reference: Subject;
  readonly firstSeed: number;
  readonly seeds: number;
};

/** Runs every subject once with each seed, and beside it the service as documented in the same world. */
export function killMatrix({ subjects, reference, firstSeed, seeds }: MatrixOptions): KillMatrix {
  const tallies = subjects.map(emptyTally);
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const undisturbed = new Map<string, WholeRun>();
    for (const tally of tallies) {
      const { setting, open } = tally.subject;
      const id = JSON.stringify(setting);
      const baseline = undisturbed.get(id) ?? wholeRun({ service: reference.open(), setting, seed });
      undisturbed.set(id, baseline);
      add(tally, { seed, run: wholeRun({ service: open(), setting, seed }), baseline });
    }
  }
  return { seeds, rows: tallies.map(rowOf) };
}

/** Several matrices over the same subjects and different seeds as one. */
export function merged(parts: readonly KillMatrix[]): KillMatrix {
  const [first, ...others] = parts;
  if (first === undefined) throw new Error('no matrix to merge');
  return others.reduce(
    (into, part) => ({
      seeds: into.seeds + part.seeds,
      rows: into.rows.map((row, at) => mergedRow(row, part.rows[at])),
    }),
    first,
  );
}

export type MatrixFigures = {
  readonly faults: number;
  readonly variants: number;
  readonly runs: number;
  /** Share of the runs with a fault in which it was caught. */
  readonly caught: number;
};

export function figuresOf({ rows }: KillMatrix): MatrixFigures {
  const faults = rows.filter(({ kind }) => kind === 'fault');
  const faultRuns = faults.reduce((sum, { runs }) => sum + runs, 0);
  return {
    faults: faults.length,
    variants: rows.filter(({ kind }) => kind === 'variant').length,
    runs: rows.reduce((sum, { runs }) => sum + runs, 0),
    caught: faults.reduce((sum, { caught }) => sum + caught, 0) / faultRuns,
  };
}

type Tally = {
  readonly subject: Subject;
  readonly violated: Partial<Record<ClauseId, number>>;
  readonly findings: Map<string, Finding>;
  runs: number;
  caught: number;
  exercised: number;
};

function emptyTally(subject: Subject): Tally {
  return { subject, violated: {}, findings: new Map(), runs: 0, caught: 0, exercised: 0 };
}

type Compared = { readonly seed: number; readonly run: WholeRun; readonly baseline: WholeRun };

function add(tally: Tally, { seed, run, baseline }: Compared): void {
  const { violated, discrepancies } = examine(tally.subject, run.judgement);
  tally.runs += 1;
  for (const clause of violated) tally.violated[clause] = (tally.violated[clause] ?? 0) + 1;
  if (tally.subject.must.every((clause) => violated.includes(clause))) tally.caught += 1;
  if (answersDiffer(run.exchanges, baseline.exchanges)) tally.exercised += 1;
  for (const discrepancy of discrepancies) note(tally.findings, { ...discrepancy, runs: 1, seed });
}

/** Findings alike are one finding, of the run that had it first: a thousand runs do not make a thousand of them. */
function note(findings: Map<string, Finding>, finding: Finding): void {
  const { kind, clause } = finding;
  const id = `${kind} ${clause} ${kind === 'missed' ? finding.verdict : ''}`;
  const known = findings.get(id);
  findings.set(id, known === undefined ? finding : { ...known, runs: known.runs + finding.runs });
}

function rowOf({ subject, findings, ...counts }: Tally): MatrixRow {
  const { name, kind, must, may, leavesOpen, seldom } = subject;
  return { name, kind, must, may, leavesOpen, seldom, ...counts, findings: [...findings.values()] };
}

function mergedRow(left: MatrixRow, right: MatrixRow | undefined): MatrixRow {
  if (right === undefined || right.name !== left.name) throw new Error('matrices over different subjects');
  const findings = new Map<string, Finding>();
  for (const finding of [...left.findings, ...right.findings]) note(findings, finding);
  const violated = Object.fromEntries(
    clauses.flatMap(({ id }) => {
      const runs = (left.violated[id] ?? 0) + (right.violated[id] ?? 0);
      return runs === 0 ? [] : [[id, runs]];
    }),
  );
  return {
    ...left,
    violated,
    runs: left.runs + right.runs,
    caught: left.caught + right.caught,
    exercised: left.exercised + right.exercised,
    findings: [...findings.values()],
  };
}
