import { z } from 'zod';
import type { Clause, Level } from '../contract/clause.ts';
import { type ClauseJudgement, clauseJudgementSchema } from '../contract/judgement.ts';
import type { JudgedClause } from './outcome.ts';

/** One clause and its verdict. */
export const clauseResultSchema = z.object({
  id: z.string(),
  section: z.string(),
  level: z.enum(['must', 'should', 'observe']),
  title: z.string(),
  requirement: z.string(),
  verdict: clauseJudgementSchema.shape.verdict,
  /** The file of the violation’s certificate, from the folder of the report; absent where none was written. */
  certificate: z.string().optional(),
});

export type ClauseResult = z.infer<typeof clauseResultSchema>;

/** How many clauses of one level have each kind of verdict. */
const countsSchema = z.object({
  held: z.int(),
  violated: z.int(),
  inconclusive: z.int(),
  observed: z.int(),
  'not-applicable': z.int(),
  crashed: z.int(),
});

export const levelCountsSchema = z.object({
  must: countsSchema,
  should: countsSchema,
  observe: countsSchema,
});

/** Every clause of a registry, in its order. A clause without a verdict is an error of this program, never left out. */
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

/** All clauses of a run: those on its webhooks decide with the others. */
export function decidingOf({
  clauses,
  webhooks,
}: {
  readonly clauses: readonly ClauseResult[];
  readonly webhooks: { readonly clauses: readonly ClauseResult[] } | null;
}): readonly ClauseResult[] {
  return [...clauses, ...(webhooks?.clauses ?? [])];
}

/** The part of results that decides the outcome of a run. */
export function judgedOf(results: readonly ClauseResult[]): readonly JudgedClause[] {
  return results.map(({ id, level, verdict }) => ({
    id,
    level,
    kind: verdict.kind,
    because: verdict.kind === 'inconclusive' ? verdict.because : [],
  }));
}

/** How many clauses of each level have each kind of verdict. */
export function countsOf(results: readonly ClauseResult[]): z.infer<typeof levelCountsSchema> {
  const counted = (level: Level): z.infer<typeof countsSchema> => {
    const counts = { held: 0, violated: 0, inconclusive: 0, observed: 0, 'not-applicable': 0, crashed: 0 };
    for (const result of results) if (result.level === level) counts[result.verdict.kind] += 1;
    return counts;
  };
  return { must: counted('must'), should: counted('should'), observe: counted('observe') };
}
