import type { ClauseJudgement } from '../../contract/judgement.ts';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import type { AnswerKind, Delivery, WebhookTrace } from '../../contract/webhooks/trace.ts';
import { countsOf } from '../counts.ts';
import { exitCodes, settle } from '../outcome.ts';
import type { ClauseResult } from '../result.ts';
import { type WebhookReport, webhookReportSchemaVersion } from './webhook-result.ts';

export type WebhookReportInput = {
  readonly trace: WebhookTrace;
  readonly judgements: readonly ClauseJudgement[];
  readonly secretsGiven: number;
  /** ISO 8601; the only part of a report that does not follow from the trace and the secrets. */
  readonly judgedAt: string;
};

/** The report on deliveries: pure and total, so that a saved trace gives the same report again. */
export function buildWebhookReport(input: WebhookReportInput): WebhookReport {
  const { trace, judgements, secretsGiven, judgedAt } = input;
  const { header, end, deliveries } = trace;
  const results = resultsOf(judgements);
  const incompleteReason = incompleteReasonOf(trace);
  const { outcome, reasons } = settle({
    clauses: results.map(({ id, level, verdict }) => ({ id, level, kind: verdict.kind })),
    incomplete: incompleteReason,
    loadsMissing: [],
    errors: [],
    known: new Set(),
    baselineProblems: [],
  });
  const { tool, runId, startedAt, url } = header;
  return {
    kind: 'webhook-capture',
    schemaVersion: webhookReportSchemaVersion,
    tool,
    runId,
    startedAt,
    url,
    endedAt: end?.endedAt ?? null,
    durationSeconds: durationSecondsOf(trace),
    judgedAt,
    complete: incompleteReason === null,
    incompleteReason,
    outcome,
    outcomeReasons: [...reasons],
    exitCode: exitCodes[outcome],
    counts: countsOf(results),
    clauses: results,
    deliveries: {
      total: deliveries.length,
      brokenOff: deliveries.filter(({ completeMs }) => completeMs === null).length,
      byAnswer: answerCounts(deliveries),
    },
    secretsGiven,
  };
}

/** Every clause of the registry in its order; one that no judge spoke about is an error of ours, never left out. */
function resultsOf(judgements: readonly ClauseJudgement[]): ClauseResult[] {
  const verdicts = new Map(judgements.map(({ clause, verdict }) => [clause, verdict]));
  return webhookClauses.map(({ id, section, level, title, requirement }) => ({
    id,
    section,
    level,
    title,
    requirement,
    verdict: verdicts.get(id) ?? { kind: 'crashed', message: 'no judge gave a verdict on this clause' },
  }));
}

function incompleteReasonOf({ end }: WebhookTrace): string | null {
  if (end === null) return 'the receiver died before it could write the last line of its trace';
  return end.complete ? null : (end.reason ?? 'the trace does not say why');
}

function durationSecondsOf({ header, deliveries, end }: WebhookTrace): number {
  const startMs = Date.parse(header.startedAt);
  const lastMs = deliveries.reduce((last, { arrivedMs }) => Math.max(last, arrivedMs), startMs);
  const endMs = end === null ? lastMs : Date.parse(end.endedAt);
  return Math.max(0, Math.round(endMs - startMs) / 1_000);
}

function answerCounts(deliveries: readonly Delivery[]): WebhookReport['deliveries']['byAnswer'] {
  const counts = { ok: 0, slow: 0, error: 0, limited: 0, gone: 0, none: 0 } satisfies Record<
    AnswerKind,
    number
  >;
  for (const { answer } of deliveries) counts[answer] += 1;
  return counts;
}
