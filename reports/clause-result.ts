import { z } from 'zod';
import { clauseJudgementSchema } from '../contract/judgement.ts';

/** One clause and what was found about it. */
export const clauseResultSchema = z.object({
  id: z.string(),
  section: z.string(),
  level: z.enum(['must', 'should', 'observe']),
  title: z.string(),
  requirement: z.string(),
  verdict: clauseJudgementSchema.shape.verdict,
});

/** Clauses of one level by their verdicts. */
export const countsSchema = z.object({
  held: z.int(),
  violated: z.int(),
  inconclusive: z.int(),
  observed: z.int(),
  'not-applicable': z.int(),
  crashed: z.int(),
});
