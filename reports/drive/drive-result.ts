import { z } from 'zod';
import { noteLineSchema } from '../../contract/trace-lines.ts';
import { groups } from '../../contract/webhooks/drive/case.ts';
import { driveHeaderSchema } from '../../contract/webhooks/drive/trace.ts';
import { burstAnswersSchema, caseJudgementSchema } from '../../contract/webhooks/drive/verdict.ts';
import { endingShape } from '../ending.ts';

/** Raised whenever a reader of the old version could misread a report of the new one. */
export const driveReportSchemaVersion = 1;

const caseResultSchema = z.object({
  id: z.string(),
  group: z.enum(groups),
  level: z.enum(['must', 'should']),
  title: z.string(),
  sends: z.string(),
  expects: z.string(),
  why: z.string(),
  verdict: caseJudgementSchema.shape.verdict,
});

export type CaseResult = z.infer<typeof caseResultSchema>;

/** Cases by their verdict; a shortcoming is a failed `should`. */
const driveCountsSchema = z.object({
  passed: z.int(),
  failed: z.int(),
  shortcomings: z.int(),
  open: z.int(),
  notAssessed: z.int(),
  crashed: z.int(),
});

export type DriveCounts = z.infer<typeof driveCountsSchema>;

/** The one result of driving a receiver: every report is rendered from this alone. Holds no secret. */
export const driveReportSchema = z.object({
  kind: z.literal('webhook-drive'),
  schemaVersion: z.literal(driveReportSchemaVersion),
  ...driveHeaderSchema.omit({ kind: true, schemaVersion: true, cases: true }).shape,
  ...endingShape,
  counts: driveCountsSchema,
  cases: z.array(caseResultSchema),
  answers: burstAnswersSchema.nullable(),
  notes: z.array(noteLineSchema),
});

export type DriveReport = z.infer<typeof driveReportSchema>;

/** `report.json`: readable by people too. */
export function formatDriveReport(report: DriveReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
