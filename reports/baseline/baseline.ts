import { z } from 'zod';
import { findClause } from '../../contract/clauses/registry.ts';

const deviationSchema = z.strictObject({
  clause: z.string().refine((id) => findClause(id) !== undefined, {
    error: ({ input }) => `there is no clause "${String(input)}" ("conformance clauses" lists all)`,
  }),
  /** Why it is known and borne, in a sentence. */
  reason: z.string().trim().min(1, 'say why the deviation is borne'),
  /** The day on which somebody has to look again: `2026-12-31`, UTC. */
  until: z.iso.date('give the day to look again as YYYY-MM-DD'),
});

/** A deviation that is known and borne for a while. */
export type KnownDeviation = z.infer<typeof deviationSchema>;

/** `conformance.baseline.json`: the deviations that are known, each clause once. */
export const baselineSchema = z
  .strictObject({ schemaVersion: z.literal(1), deviations: z.array(deviationSchema).readonly() })
  .refine(({ deviations }) => new Set(deviations.map(({ clause }) => clause)).size === deviations.length, {
    error: 'a clause is listed twice',
    path: ['deviations'],
  });

export type Baseline = z.infer<typeof baselineSchema>;

export const emptyBaseline: Baseline = { schemaVersion: 1, deviations: [] };

/** The file as it is written: sorted by clause, so that two people's changes rarely meet. */
export function formatBaseline({ deviations }: Baseline): string {
  const sorted = deviations.toSorted((left, right) => left.clause.localeCompare(right.clause));
  return `${JSON.stringify({ schemaVersion: 1, deviations: sorted }, null, 2)}\n`;
}
