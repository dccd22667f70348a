import { z } from 'zod';
import { crashedSchema } from '../../judgement.ts';

/** One delivery, as evidence quotes it. Times in ms relative to the first quoted delivery. */
export const quotedDeliverySchema = z.object({
  index: z.int(),
  name: z.string(),
  messageId: z.string(),
  sentMs: z.number(),
  /** How long the answer took; `null` where there was none. */
  answeredAfterMs: z.number().nullable(),
  status: z.int().nullable(),
  /** The answer's body, or why there was no answer. */
  said: z.string(),
});

export type QuotedDelivery = z.infer<typeof quotedDeliverySchema>;

/** Most deliveries that one verdict quotes. */
export const quotedDeliveriesMax = 6;

/** The verdict on a case. The kinds are those of clauses, so the same rules settle the outcome. */
export const driveVerdictSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('held'), summary: z.string() }),
  z.object({
    kind: z.literal('violated'),
    /** A stable word: "not-accepted", "not-refused", "crashed", "too-late", "no-answer", "wrong-effect". */
    reason: z.string(),
    observed: z.string(),
    /** What it most likely means, as far as the answers show. */
    likely: z.string(),
    deliveries: z.array(quotedDeliverySchema),
    /** How many deliveries show the same. */
    deliveriesTotal: z.int().min(0),
  }),
  z.object({
    kind: z.literal('inconclusive'),
    reason: z.string(),
    /** Ids of the failed cases because of which this one cannot be judged. */
    because: z.array(z.string()),
  }),
  z.object({ kind: z.literal('not-applicable'), reason: z.string() }),
]);

export type DriveVerdict = z.infer<typeof driveVerdictSchema>;

/** Answers to a burst; times in ms. */
export const burstAnswersSchema = z.object({
  sent: z.int(),
  accepted: z.int(),
  /** Answered with another status than 2xx. */
  refused: z.int(),
  unanswered: z.int(),
  eventsPerSecond: z.number(),
  seconds: z.number(),
  /** Percentiles of all answers, by nearest rank; `null` where there were none. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  maxMs: z.number().nullable(),
  /** The longest delay of this program in sending, ms: that much of the measured times may be its own. */
  lateMsMax: z.number(),
});

export type BurstAnswers = z.infer<typeof burstAnswersSchema>;

export const caseJudgementSchema = z.object({
  case: z.string(),
  verdict: z.union([driveVerdictSchema, crashedSchema]),
});

export type CaseJudgement = z.infer<typeof caseJudgementSchema>;

/** The judgement of a whole drive. */
export type DriveJudgement = {
  readonly cases: readonly CaseJudgement[];
  readonly burst: BurstAnswers | null;
};
