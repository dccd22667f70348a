import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import type { JudgedWebhooks } from '../../contract/webhooks/judged.ts';
import type { WebhookLog } from '../../contract/webhooks/log.ts';
import { clauseResultsOf, countsOf, judgedOf } from '../clause-result.ts';
import { endingOf } from '../ending.ts';
import type { JudgedClause } from '../outcome.ts';
import { type WebhookReport, webhookReportSchemaVersion } from './webhook-result.ts';

export type WebhookReportInput = {
  readonly trace: Pick<WebhookLog, 'header' | 'end' | 'unheard'>;
  readonly judged: JudgedWebhooks;
  readonly secretsGiven: number;
  /** ISO 8601; the only part of a report that does not follow from the trace and the secrets. */
  readonly judgedAt: string;
};

/** The report on deliveries: pure and total, so that a saved trace gives the same report again. */
export function buildWebhookReport(input: WebhookReportInput): WebhookReport {
  const { trace, judged, secretsGiven, judgedAt } = input;
  const { header, end } = trace;
  const { path, deliveries, others, lastMs, signatures } = judged;
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
      momentsMs: lastMs === null ? [] : [lastMs],
      judgedAt,
      facts: { clauses: [...judgedOf(results), ...requiredSignature(header, judged)] },
    }),
    counts: countsOf(results),
    clauses: results,
    judgedPath: path,
    otherRequests: { ...others, listed: [...others.listed] },
    deliveries: { ...deliveries, unheard: trace.unheard },
    secretsGiven,
    signatures,
  };
}

/** Where signatures were required, one that no secret gives decides, although the document does not show how it is made. */
function requiredSignature(
  { requireSignature }: WebhookLog['header'],
  { signatures, deliveries }: JudgedWebhooks,
): readonly JudgedClause[] {
  if (requireSignature !== true || signatures === null || deliveries.total === 0) return [];
  const fits = signatures.fitting === signatures.whole && signatures.whole > 0;
  return fits ? [] : [{ id: 'webhook.signature', level: 'must', kind: 'violated' }];
}
