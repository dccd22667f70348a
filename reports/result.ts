import { z } from 'zod';
import { boundsSchema } from '../contract/bounds-schema.ts';
import { deploymentSchema } from '../contract/deployment.ts';
import { identifiedGroupSchema } from '../contract/identification.ts';
import { burstMeasureSchema, groupMeasureSchema } from '../contract/judgement.ts';
import { picturesSchema } from '../contract/pictures.ts';
import { traceHeaderSchema } from '../contract/trace-header.ts';
import { noteLineSchema } from '../contract/trace-lines.ts';
import { appliedBaselineSchema } from './baseline/baseline.ts';
import { clauseResultSchema, levelCountsSchema } from './clause-result.ts';
import { endingShape } from './ending.ts';
import { runOutcomes } from './outcome.ts';
import { reportSchemaVersion } from './schema-version.ts';
import { webhookReportSchema } from './webhooks/webhook-result.ts';

/** What changed since the newest comparable run before; every summary says it first. */
const sinceLastSchema = z.object({
  runId: z.string(),
  startedAt: z.string(),
  outcome: z.enum(runOutcomes),
  /** Comparable runs before this one. */
  runs: z.int(),
  /** One sentence each; empty where nothing changed. */
  changes: z.array(z.string()),
});

/** The one result of a run: every report is rendered from this alone. Holds no secret. */
export const reportSchema = z.object({
  schemaVersion: z.literal(reportSchemaVersion),
  tool: traceHeaderSchema.shape.tool,
  runId: z.string(),
  mode: traceHeaderSchema.shape.mode,
  startedAt: z.string(),
  ...endingShape,
  deployment: deploymentSchema,
  /** Which environment variable held the key of each alias. */
  keys: z.array(z.object({ alias: z.string(), env: z.string() })),
  limits: z.record(z.string(), z.int()),
  window: z.object({ ms: z.number(), documentedMs: z.number(), isDocumented: z.boolean() }),
  /** What the verdicts allow for; see contract/bounds.ts. */
  bounds: boundsSchema,
  plan: traceHeaderSchema.shape.plan,
  counts: levelCountsSchema,
  clauses: z.array(clauseResultSchema),
  groups: z.array(groupMeasureSchema),
  bursts: z.array(burstMeasureSchema),
  /** The limiter that explains the answers, for each key and scope, of very many for some: an explanation, never a verdict. */
  identified: z.array(identifiedGroupSchema),
  /** Keys and scopes more that the probes filled, whose limiters were not looked for: those that tell most were. */
  identifiedLeftOut: z.int().default(0),
  notes: z.array(noteLineSchema),
  /** What most likely changed behind the address meanwhile, a sentence each: it explains, and decides nothing. */
  likelyChanges: z.array(z.string()).default([]),
  /** The webhooks of the deployment during the run; `null` where it does not send them to a receiver of this program. */
  webhooks: webhookReportSchema.omit({ judgedAt: true }).nullable().default(null),
  pictures: picturesSchema,
  /** The run beside the baseline; `null` where there is none. */
  baseline: appliedBaselineSchema.nullable(),
  /** What changed since the newest comparable run; `null` where none is known. */
  sinceLast: sinceLastSchema.nullable(),
});

export type Report = z.infer<typeof reportSchema>;

/** `report.json`: readable by people too, with each row of figures in one line. */
export function formatReport(report: Report): string {
  const { pictures, ...said } = report;
  const figures = JSON.stringify({ pictures }, null, 2).replace(
    /\[\n([^[\]{}]*)\n *\]/g,
    (_whole, rows: string) => {
      return `[${rows.trim().replaceAll(/\n */g, ' ')}]`;
    },
  );
  return `${JSON.stringify(said, null, 2).slice(0, -2)},${figures.slice(1)}\n`;
}
