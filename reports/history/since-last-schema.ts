import { z } from 'zod';
import { runOutcomes } from '../outcome.ts';

/** What is different from the newest comparable run before; the first thing in every summary. */
export const sinceLastSchema = z.object({
  runId: z.string(),
  startedAt: z.string(),
  outcome: z.enum(runOutcomes),
  /** Comparable runs before this one. */
  runs: z.int(),
  /** One sentence each; empty where nothing changed. */
  changes: z.array(z.string()),
});

export type SinceLast = z.infer<typeof sinceLastSchema>;
