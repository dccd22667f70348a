import { z } from 'zod';
import type { ClauseResult } from '../clause-result.ts';
import { holds } from '../outcome.ts';

/** Which clauses there are is said by the document of the run. */
const deviationSchema = z.strictObject({
  clause: z.string().regex(/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/, {
    error: ({ input }) => `"${String(input)}" is no id of a clause ("conformance clauses" lists all)`,
  }),
  /** Why the violation is accepted, in a sentence. */
  reason: z.string().trim().min(1, 'say why the deviation is accepted'),
  /** The day on which somebody has to look again: `2026-12-31`, UTC. */
  until: z.iso.date('give the day to look again as YYYY-MM-DD'),
});

/** A violation that is known and accepted until a day. */
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

/** The file as it is written: sorted by clause, so that the changes of two people rarely conflict. */
export function formatBaseline({ deviations }: Baseline): string {
  const sorted = deviations.toSorted((left, right) => left.clause.localeCompare(right.clause));
  return `${JSON.stringify({ schemaVersion: 1, deviations: sorted }, null, 2)}\n`;
}

/** A baseline beside the verdicts of one run. */
export const appliedBaselineSchema = z.object({
  /** Violations that the baseline accepts. */
  known: z.array(z.object({ clause: z.string(), reason: z.string(), until: z.string() })),
  /** What is wrong with the baseline itself, a sentence each; any of them fails the run. */
  problems: z.array(z.string()),
});

export type AppliedBaseline = z.infer<typeof appliedBaselineSchema>;

/** What a baseline says of the deviations that come into it. */
export type BaselineWords = { readonly reason: string; readonly until: string };

export type BaselineUpdate = {
  readonly baseline: Baseline;
  readonly added: readonly KnownDeviation[];
  readonly removed: readonly KnownDeviation[];
  /** Listed before and now, with a new date where the old one had passed. */
  readonly kept: readonly KnownDeviation[];
};

/**
 * The baseline that fits a run. New violations come in with these words, clauses that hold go out, and clauses that could
 * not be judged stay. A date that has passed becomes the new one.
 * @param today `YYYY-MM-DD`, UTC.
 */
export function updatedBaseline(
  before: Baseline,
  clauses: readonly ClauseResult[],
  { words, today }: { readonly words: BaselineWords; readonly today: string },
): BaselineUpdate {
  const kinds = new Map(clauses.map(({ id, verdict }) => [id, verdict.kind]));
  const isOver = ({ clause }: KnownDeviation): boolean => holds(kinds.get(clause));
  const listed = new Set(before.deviations.map(({ clause }) => clause));
  const kept = before.deviations
    .filter((one) => !isOver(one))
    .map((one) => (one.until < today ? { ...one, until: words.until } : one));
  const added = clauses
    .filter(({ id, level, verdict }) => level === 'must' && verdict.kind === 'violated' && !listed.has(id))
    .map(({ id }) => ({ clause: id, ...words }));
  return {
    baseline: { schemaVersion: 1, deviations: [...kept, ...added] },
    added,
    removed: before.deviations.filter(isOver),
    kept,
  };
}
