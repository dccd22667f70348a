import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import type { JudgedWebhooks, OtherRequest } from '../../contract/webhooks/judged.ts';
import type { Delivery, WebhookTrace } from '../../contract/webhooks/trace.ts';
import { clauseResultsOf, countsOf, judgedOf } from '../clause-result.ts';
import { endingOf } from '../ending.ts';
import type { Judged } from '../outcome.ts';
import { type WebhookReport, webhookReportSchemaVersion } from './webhook-result.ts';

export type WebhookReportInput = {
  readonly trace: WebhookTrace;
  readonly judged: JudgedWebhooks;
  readonly secretsGiven: number;
  /** ISO 8601; the only part of a report that does not follow from the trace and the secrets. */
  readonly judgedAt: string;
};

/** The report on deliveries: pure and total, so that a saved trace gives the same report again. */
export function buildWebhookReport(input: WebhookReportInput): WebhookReport {
  const { trace, judged, secretsGiven, judgedAt } = input;
  const { header, end } = trace;
  const { path, deliveries, others, signatures } = judged;
  const results = clauseResultsOf(webhookClauses, judged.judgements);
  const { kind: _kind, schemaVersion: _version, ...about } = header;
  const { startedAt } = header;
  return {
    kind: 'webhook-capture',
    schemaVersion: webhookReportSchemaVersion,
    ...about,
    ...endingOf({
      startedAt,
      end,
      who: 'receiver',
      momentsMs: trace.deliveries.map(({ arrivedMs }) => arrivedMs),
      judgedAt,
      facts: { clauses: [...judgedOf(results), ...requiredSignature(header, judged)] },
    }),
    counts: countsOf(results),
    clauses: results,
    judgedPath: path,
    otherRequests: {
      total: others.length,
      marked: others.filter(({ isMarked }) => isMarked).length,
      listed: listed(others),
    },
    deliveries: {
      total: deliveries.length,
      brokenOff: deliveries.filter(({ completeMs }) => completeMs === null).length,
      byAnswer: answerCounts(deliveries),
      unheard: trace.unheard,
    },
    secretsGiven,
    signatures,
  };
}

/** A kind of other request is listed up to this many times. */
const listedMax = 20;

function listed(others: readonly OtherRequest[]): WebhookReport['otherRequests']['listed'] {
  const kinds = Map.groupBy(others, ({ method, path }) => `${method} ${path}`);
  return [...kinds.values()]
    .sort((left, right) => right.length - left.length)
    .slice(0, listedMax)
    .map((same) => ({ method: same[0]?.method ?? '', path: same[0]?.path ?? '', count: same.length }));
}

/** Where signatures were required, one that no secret gives decides, although the document does not show how it is made. */
function requiredSignature(
  { requireSignature }: WebhookTrace['header'],
  { signatures, deliveries }: JudgedWebhooks,
): readonly Judged[] {
  if (requireSignature !== true || signatures === null || deliveries.length === 0) return [];
  const fits = signatures.fitting === signatures.whole && signatures.whole > 0;
  return fits ? [] : [{ id: 'webhook.signature', level: 'must', kind: 'violated' }];
}

function answerCounts(deliveries: readonly Delivery[]): WebhookReport['deliveries']['byAnswer'] {
  const counts = { ok: 0, slow: 0, error: 0, limited: 0, gone: 0, none: 0, other: 0 } satisfies Record<
    Delivery['answer'],
    number
  >;
  for (const { answer } of deliveries) counts[answer] += 1;
  return counts;
}
