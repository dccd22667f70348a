import { clauses } from '../../contract/clauses/registry.ts';
import type { Finding, KillMatrix, MatrixRow } from './kill-matrix.ts';

/** The share of runs in which a fault has to be caught. */
const caughtShareMin = 0.999;

/** In as many runs, even what about one run in three shows is exercised: it is not in three of ten thousand. */
const seldomRuns = 20;

/** Everything that is wrong with the faults or with the judges, a sentence each; none where the gate is passed. */
export function problemsOf({ rows }: KillMatrix): readonly string[] {
  return rows.flatMap(problemsOfRow);
}

/** What stayed open, as it may in a few runs: with why. */
export function missesOf({ rows }: KillMatrix): readonly string[] {
  return rows.flatMap((row) => {
    const { name, runs, findings, seldom } = row;
    const unshown = isUnshown(row) ? [`${name}: not exercised in so few runs: ${seldom}`] : [];
    const missed = findings
      .filter(isExcusable)
      .map((finding) => `${name}: in ${finding.runs} of ${runs} runs ${findingText(finding)}`);
    return [...unshown, ...missed];
  });
}

/** Whether too few runs were played for a subject that few of them show. */
function isUnshown({ exercised, runs, seldom }: MatrixRow): boolean {
  return exercised === 0 && seldom !== undefined && runs < seldomRuns;
}

function problemsOfRow(row: MatrixRow): readonly string[] {
  const { name, kind, runs, caught, exercised, findings } = row;
  const wrong = findings.filter((finding) => !isExcusable(finding));
  const texts = wrong.map((finding) => `${name}: in ${finding.runs} of ${runs} runs ${findingText(finding)}`);
  if (caught < caughtShareMin * runs) {
    const why = findings.filter(isExcusable).map(findingText).join('; ');
    texts.push(`${name}: caught in only ${caught} of ${runs} runs; ${why}`);
  }
  if (kind !== 'reference' && exercised === 0 && !isUnshown(row))
    texts.push(`${name}: never exercised: every answer was that of the service as documented`);
  return texts;
}

/** What cannot be proved for certain may stay inconclusive in a few runs; a clause held in spite of a fault is wrong. */
function isExcusable(finding: Finding): boolean {
  return finding.kind === 'missed' && finding.verdict === 'inconclusive';
}

/** Clauses that nothing shows to be able to fail; those of the load suite need k6. */
export function unprovedClauses(rows: readonly Pick<MatrixRow, 'must'>[]): readonly string[] {
  return clauses
    .filter(({ level, needs }) => level === 'must' && needs !== 'load')
    .filter(({ id }) => !rows.some(({ must }) => must.includes(id)))
    .map(({ id }) => `${id}: there is no fault that has to violate it`);
}

function findingText(finding: Finding): string {
  const { kind, clause, seed } = finding;
  switch (kind) {
    case 'missed':
      return `${clause} was ${finding.verdict}, not violated (${finding.reason}; seed ${seed})`;
    case 'stray':
      return `${clause} was violated, which this fault has nothing to do with (${finding.reason}: ${finding.observed}; seed ${seed})`;
    case 'misnamed':
      return `${clause} was violated for another reason than expected (${finding.reason}: ${finding.observed}; seed ${seed})`;
    case 'decided':
      return `${clause} was ${finding.verdict}, though nothing can prove it (seed ${seed})`;
    case 'crashed':
      return `the judge of ${clause} crashed (${finding.message}; seed ${seed})`;
    default:
      return finding satisfies never;
  }
}
