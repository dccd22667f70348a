import { z } from 'zod';
import { exitCodes, type RunFacts, runOutcomes, settle } from './outcome.ts';

/** How a run ended and with what verdict: the same fields in every kind of report. */
export const endingShape = {
  /** `null` where the run died before it could write its last line. */
  endedAt: z.string().nullable(),
  /** From the start to the end. Where the run died: to the last thing that happened. */
  durationSeconds: z.number().min(0),
  judgedAt: z.string(),
  complete: z.boolean(),
  /** Why the run is not complete; `null` where it is. */
  incompleteReason: z.string().nullable(),
  /** What was not run though it decides, where the outcome is no better for it. */
  notEnoughReason: z.string().nullable().optional(),
  outcome: z.enum(runOutcomes),
  outcomeReasons: z.array(z.string()),
  exitCode: z.int(),
};

export type Ending = z.infer<z.ZodObject<typeof endingShape>>;

/** The last line of any trace. */
type End = { readonly endedAt: string; readonly complete: boolean; readonly reason: string | null };

export type EndingInput = {
  /** ISO 8601. */
  readonly startedAt: string;
  /** `null` where the trace has no last line. */
  readonly end: End | null;
  /** What died where there is no last line. */
  readonly who: 'run' | 'receiver';
  /** When something happened, ms since the Unix epoch. */
  readonly momentsMs: readonly number[];
  /** ISO 8601. */
  readonly judgedAt: string;
  readonly facts: Omit<RunFacts, 'incomplete'>;
  /** Why something that belongs to the run is not complete; `null` where there is nothing or it is. */
  readonly incompleteBeside?: string | null;
};

/** How a run ended, and what its verdicts decide. */
export function endingOf(input: EndingInput): Ending {
  const { startedAt, end, who, momentsMs, judgedAt, facts, incompleteBeside = null } = input;
  const incompleteReason = incompleteReasonOf(end, who);
  const { outcome, reasons } = settle({ ...facts, incomplete: incompleteReason ?? incompleteBeside });
  return {
    endedAt: end?.endedAt ?? null,
    durationSeconds: durationSecondsOf(startedAt, end, momentsMs),
    judgedAt,
    complete: incompleteReason === null,
    incompleteReason,
    notEnoughReason: outcome === 'inconclusive' ? (facts.notEnough ?? null) : null,
    outcome,
    outcomeReasons: [...reasons],
    exitCode: exitCodes[outcome],
  };
}

function incompleteReasonOf(end: End | null, who: string): string | null {
  if (end === null) return `the ${who} died before it could write the last line of its trace`;
  return end.complete ? null : (end.reason ?? 'the trace does not say why');
}

/** From the start of a run to its end, s; without a last line to the latest of these moments. */
function durationSecondsOf(startedAt: string, end: End | null, momentsMs: readonly number[]): number {
  const startMs = Date.parse(startedAt);
  const endMs =
    end === null ? momentsMs.reduce((last, ms) => Math.max(last, ms), startMs) : Date.parse(end.endedAt);
  return Math.max(0, Math.round(endMs - startMs) / 1_000);
}
