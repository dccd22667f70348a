import type { Clause } from '../contract/clause.ts';
import type { ClauseJudgement } from '../contract/judgement.ts';
import type { Judged } from './outcome.ts';
import type { ClauseResult } from './result.ts';

/** Every clause of a registry in its order; one that no judge spoke about is an error of ours, never left out. */
export function clauseResultsOf(
  clauses: readonly Clause[],
  judgements: readonly ClauseJudgement[],
): ClauseResult[] {
  const verdicts = new Map(judgements.map(({ clause, verdict }) => [clause, verdict]));
  return clauses.map(({ id, section, level, title, requirement }) => ({
    id,
    section,
    level,
    title,
    requirement,
    verdict: verdicts.get(id) ?? { kind: 'crashed', message: 'no judge gave a verdict on this clause' },
  }));
}

/** What of results decides the outcome of a run. */
export function judgedOf(results: readonly ClauseResult[]): readonly Judged[] {
  return results.map(({ id, level, verdict }) => ({
    id,
    level,
    kind: verdict.kind,
    because: verdict.kind === 'inconclusive' ? verdict.because : [],
  }));
}
