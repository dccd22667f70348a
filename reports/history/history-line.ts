import { z } from 'zod';
import { limitTextOf, scopesOf } from '../../contract/document/document.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import { algorithms } from '../../contract/identification.ts';
import { runOutcomes } from '../outcome.ts';
import type { Report } from '../result.ts';
import { shownGroups } from '../shown-groups.ts';

/** Both keys of a run in all scopes that a document can have, and more; not a thousand keys of every night. */
const pointsMax = 120;

/** Raised whenever a reader of the old version could misread a line of the new one. */
const historySchemaVersion = 1;

const verdictKinds = ['held', 'violated', 'inconclusive', 'observed', 'not-applicable', 'crashed'] as const;

const seriesPointSchema = z.object({
  scope: z.string(),
  key: z.string(),
  /** Lengths of rolling window that explain the run, ms; `null` at an open end, or where none was measured. */
  windowMs: z.object({ low: z.number().nullable(), high: z.number().nullable() }).nullable(),
  latencyMs: z.object({ p50: z.number(), p99: z.number() }).nullable(),
  /** What the limiter may be; empty where the run does not show it. */
  algorithms: z.array(z.enum(algorithms)),
  /** What else nothing contradicts, though it is far less likely. */
  notRuledOut: z.array(z.enum(algorithms)).default([]),
  /** The limit that was found; `null` where the run does not show it. */
  limit: z.int().nullable(),
  /** Length of the sub-windows in which requests leave together, s; `null` where each leaves alone. */
  granularitySeconds: z.number().nullable(),
});

export type HistoryPoint = z.infer<typeof seriesPointSchema>;

/** One run, as the history keeps it: a line of NDJSON. Holds no secret, and nothing that a target said. */
export const historyLineSchema = z.object({
  schemaVersion: z.literal(historySchemaVersion),
  runId: z.string(),
  startedAt: z.string(),
  durationSeconds: z.number(),
  toolVersion: z.string(),
  /** Runs of one target, document, mode and length of window can be compared. */
  target: z.string(),
  /** The title of the document that the run was held to. */
  document: z.string().default(messagingDocument.title),
  /** By scope, what it promises: "120 in any 60 s". Absent in lines of earlier versions. */
  limits: z.record(z.string(), z.string()).optional(),
  mode: z.string(),
  windowSeconds: z.number(),
  outcome: z.enum(runOutcomes),
  /** Verdicts of the clauses that decide, and of the advisory ones. */
  verdicts: z.record(z.string(), z.enum(verdictKinds)),
  points: z.array(seriesPointSchema),
});

export type HistoryLine = z.infer<typeof historyLineSchema>;

/** The part of a report that goes into the history. */
export function historyLineOf(report: Report): HistoryLine {
  const limited = report.groups.filter((group) => group.limited > 0);
  const judged = report.clauses.filter(({ level }) => level !== 'observe');
  const { document } = report.deployment;
  return {
    schemaVersion: historySchemaVersion,
    runId: report.runId,
    startedAt: report.startedAt,
    durationSeconds: report.durationSeconds,
    toolVersion: report.tool.version,
    target: targetOf(report),
    document: document.title,
    limits: Object.fromEntries(scopesOf(document).map((scope) => [scope, limitTextOf(document, scope)])),
    mode: report.mode,
    windowSeconds: report.window.ms / 1_000,
    outcome: report.outcome,
    verdicts: Object.fromEntries(judged.map(({ id, verdict }) => [id, verdict.kind])),
    points: shownGroups(limited, report, pointsMax).shown.map(({ scope, key, windowMs, latencyMs }) => {
      const found = report.identified.find((one) => one.scope === scope && one.key === key);
      const names = found === undefined ? [] : [found.algorithm].flat();
      return {
        scope,
        key,
        windowMs,
        latencyMs: latencyMs === null ? null : { p50: latencyMs.p50, p99: latencyMs.p99 },
        algorithms: names.filter((name) => name !== 'unidentified'),
        notRuledOut: (found?.notRuledOut ?? []).map(({ algorithm }) => algorithm),
        limit: found?.limit ?? null,
        granularitySeconds: found?.granularitySeconds ?? null,
      };
    }),
  };
}

/** The target of a run: its name where it has one, since hosts and ports may change. */
function targetOf({ deployment }: Report): string {
  return deployment.name ?? deployment.baseUrls.join(' ');
}

/** A history as text: its lines in their order, and how many could not be read. */
export type ReadHistory = { readonly lines: readonly HistoryLine[]; readonly unreadable: number };

/** Reads a history. A line that a crash cut off, or that another version wrote, is left out and counted. */
export function parseHistory(text: string): ReadHistory {
  const raw = text.split('\n').filter((line) => line.trim() !== '');
  const lines = raw.flatMap((line) => {
    const parsed = historyLineSchema.safeParse(jsonOf(line));
    return parsed.success ? [parsed.data] : [];
  });
  return { lines, unreadable: raw.length - lines.length };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The lines of a history that can be compared with a run, in the order in which the runs began. */
export function comparableLines(
  lines: readonly HistoryLine[],
  run: Pick<HistoryLine, 'target' | 'document' | 'mode' | 'windowSeconds'>,
): readonly HistoryLine[] {
  return lines
    .filter(
      ({ target, document, mode, windowSeconds }) =>
        target === run.target &&
        document === run.document &&
        mode === run.mode &&
        windowSeconds === run.windowSeconds,
    )
    .toSorted((left, right) => Date.parse(left.startedAt) - Date.parse(right.startedAt));
}
