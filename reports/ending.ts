import { z } from 'zod';
import { runOutcomes } from './outcome.ts';

/** How a run ended and what it came to: the same fields in every kind of report. */
export const endingShape = {
  /** `null` where the run died before it could write its last line. */
  endedAt: z.string().nullable(),
  /** From the start to the end; to the last thing that happened where the run died. */
  durationSeconds: z.number().min(0),
  judgedAt: z.string(),
  complete: z.boolean(),
  /** Why the run is not complete; `null` where it is. */
  incompleteReason: z.string().nullable(),
  outcome: z.enum(runOutcomes),
  outcomeReasons: z.array(z.string()),
  exitCode: z.int(),
};

/** The last line of any trace. */
type End = { readonly endedAt: string; readonly complete: boolean; readonly reason: string | null };

/** Why a trace is not complete, or `null` where it is. `who` is what died where there is no last line. */
export function incompleteReasonOf(end: End | null, who: string): string | null {
  if (end === null) return `the ${who} died before it could write the last line of its trace`;
  return end.complete ? null : (end.reason ?? 'the trace does not say why');
}

/**
 * From the start of a run to its end, s; without a last line to the latest of these moments, ms since the Unix epoch.
 */
export function durationSecondsOf(startedAt: string, end: End | null, momentsMs: readonly number[]): number {
  const startMs = Date.parse(startedAt);
  const endMs =
    end === null ? momentsMs.reduce((last, ms) => Math.max(last, ms), startMs) : Date.parse(end.endedAt);
  return Math.max(0, Math.round(endMs - startMs) / 1_000);
}
