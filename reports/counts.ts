import type { Level } from '../contract/clause.ts';
import type { ClauseResult, Counts, Report } from './result.ts';

/** How many clauses of each level have each kind of verdict. */
export function countsOf(results: readonly ClauseResult[]): Report['counts'] {
  const counted = (level: Level): Counts => {
    const counts = { held: 0, violated: 0, inconclusive: 0, observed: 0, 'not-applicable': 0, crashed: 0 };
    for (const result of results) if (result.level === level) counts[result.verdict.kind] += 1;
    return counts;
  };
  return { must: counted('must'), should: counted('should'), observe: counted('observe') };
}
