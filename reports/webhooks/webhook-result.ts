import { z } from 'zod';
import { answersGiven, unheardSchema, webhookHeaderSchema } from '../../contract/webhooks/trace.ts';
import { clauseResultSchema, levelCountsSchema } from '../clause-result.ts';
import { endingShape } from '../ending.ts';

/** Raised whenever a reader of the old version could misread a report of the new one. */
export const webhookReportSchemaVersion = 1;

/** The one result of judging deliveries: every report on them is rendered from this alone. Holds no secret. */
export const webhookReportSchema = z.object({
  kind: z.literal('webhook-capture'),
  schemaVersion: z.literal(webhookReportSchemaVersion),
  ...webhookHeaderSchema.omit({ kind: true, schemaVersion: true }).shape,
  ...endingShape,
  counts: levelCountsSchema,
  clauses: z.array(clauseResultSchema),
  /** The path whose webhooks were judged; `null` where nothing looks like one. */
  judgedPath: z.string().nullable(),
  /** What reached the receiver besides: nothing is judged by it. */
  otherRequests: z.object({
    total: z.int().min(0),
    /** Those that look like webhooks, but came to another path. */
    marked: z.int().min(0),
    /** The most frequent ones; all others are only counted. */
    listed: z.array(z.object({ method: z.string(), path: z.string(), count: z.int().min(1) })),
  }),
  deliveries: z.object({
    total: z.int().min(0),
    /** Deliveries whose sender broke off before the end of the body. */
    brokenOff: z.int().min(0),
    byAnswer: z.record(z.enum(answersGiven), z.int().min(0)),
    /** Connections of which no request could be read. */
    unheard: unheardSchema,
  }),
  /** How many secrets the signatures were verified with. */
  secretsGiven: z.int().min(0),
  /** Of the deliveries that arrived whole, those with a signature that a secret gives; `null` without a secret. */
  signatures: z.object({ whole: z.int().min(0), fitting: z.int().min(0) }).nullable(),
});

export type WebhookReport = z.infer<typeof webhookReportSchema>;

/** `report.json`: readable by people too. */
export function formatWebhookReport(report: WebhookReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
