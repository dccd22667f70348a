import type { ClauseJudgement } from '../../contract/judgement.ts';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import type { AnswerKind, Delivery, WebhookTrace } from '../../contract/webhooks/trace.ts';
import { clauseResultsOf, countsOf, judgedOf } from '../clause-result.ts';
import { endingOf } from '../ending.ts';
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
  const results = clauseResultsOf(webhookClauses, judgements);
  const { tool, runId, startedAt, url } = header;
  return {
    kind: 'webhook-capture',
    schemaVersion: webhookReportSchemaVersion,
    tool,
    runId,
    startedAt,
    url,
    ...endingOf({
      startedAt,
      end,
      who: 'receiver',
      momentsMs: deliveries.map(({ arrivedMs }) => arrivedMs),
      judgedAt,
      facts: { clauses: judgedOf(results) },
    }),
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

function answerCounts(deliveries: readonly Delivery[]): WebhookReport['deliveries']['byAnswer'] {
  const counts = { ok: 0, slow: 0, error: 0, limited: 0, gone: 0, none: 0 } satisfies Record<
    AnswerKind,
    number
  >;
  for (const { answer } of deliveries) counts[answer] += 1;
  return counts;
}
