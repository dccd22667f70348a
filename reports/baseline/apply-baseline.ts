import { holds, type JudgedClause } from '../outcome.ts';
import type { AppliedBaseline, Baseline } from './baseline.ts';

/**
 * Compares a baseline with the verdicts of a run. A listed clause that holds is a problem, and so is one whose day to look
 * again has passed: a list that nobody maintains would hide new violations. A clause that could not be judged is neither
 * known nor a problem.
 * @param today `YYYY-MM-DD`, UTC.
 */
export function applyBaseline(
  { deviations }: Baseline,
  clauses: readonly JudgedClause[],
  today: string,
): AppliedBaseline {
  const kinds = new Map(clauses.map(({ id, kind }) => [id, kind]));
  return {
    known: deviations.filter(({ clause, until }) => kinds.get(clause) === 'violated' && until >= today),
    problems: deviations.flatMap(({ clause, until }) => {
      if (holds(kinds.get(clause))) {
        return [`${clause} holds, but is listed as a known deviation: remove it from the baseline`];
      }
      return until < today
        ? [`${clause} was accepted until ${until} only: fix it, or give the baseline a later date`]
        : [];
    }),
  };
}
