import { z } from 'zod';
import type { Judged } from '../outcome.ts';
import type { Baseline } from './baseline.ts';

/** What a baseline makes of a run. */
export const appliedBaselineSchema = z.object({
  /** Violations that are known and borne. */
  known: z.array(z.object({ clause: z.string(), reason: z.string(), until: z.string() })),
  /** What is wrong with the baseline itself, a sentence each; it fails the run. */
  problems: z.array(z.string()),
});

export type AppliedBaseline = z.infer<typeof appliedBaselineSchema>;

/**
 * Holds a baseline against the verdicts of a run. A listed clause that holds, and one whose day to look again has
 * passed, are problems: a list that nobody keeps would hide what is new. One that could not be judged is neither.
 * @param today `YYYY-MM-DD`, UTC.
 */
export function applyBaseline(
  { deviations }: Baseline,
  clauses: readonly Judged[],
  today: string,
): AppliedBaseline {
  const kinds = new Map(clauses.map(({ id, kind }) => [id, kind]));
  return {
    known: deviations.filter(({ clause, until }) => kinds.get(clause) === 'violated' && until >= today),
    problems: deviations.flatMap(({ clause, until }) => {
      const kind = kinds.get(clause);
      if (kind === 'held' || kind === 'observed') {
        return [`${clause} holds, but is listed as a known deviation: take it out of the baseline`];
      }
      return until < today
        ? [`${clause} was to be looked at again by ${until}: mend it, or give the baseline another date`]
        : [];
    }),
  };
}
