import type { ClauseJudgement } from '../../contract/judgement.ts';
import { inconclusive, type Verdict } from '../../contract/verdict.ts';
import { type WebhookClause, type WebhookClauseId, webhookClauses } from '../../contract/webhooks/clauses.ts';
import type { JudgedWebhooks } from '../../contract/webhooks/judged.ts';
import type { WebhookLog } from '../../contract/webhooks/log.ts';
import { type Knowledge, type WebhookJudge, walk } from './case.ts';
import {
  judgeEnvelope,
  judgeEvent,
  judgeMessageId,
  judgeNumbers,
  judgeReadData,
  judgeReceivedData,
  judgeRecipientIsWaba,
} from './contents.ts';
import { judgeDuplicates, judgeOrdering } from './deliveries.ts';
import { judgeLatency } from './latency.ts';
import { judgeContentType, judgeMethod, judgeOnePost, judgeSignatureForm } from './requests.ts';
import { judgeRetries } from './retries.ts';
import { judgeSignature } from './signature.ts';
import { judgeEncodings, judgeOtherData } from './texts.ts';
import { judgeTimestamp, judgeTimestampUnit } from './timestamps.ts';

const judges: Readonly<Record<WebhookClauseId, WebhookJudge>> = {
  'webhook.method': judgeMethod,
  'webhook.content-type': judgeContentType,
  'webhook.signature-form': judgeSignatureForm,
  'webhook.one-post-per-event': judgeOnePost,
  'webhook.envelope': judgeEnvelope,
  'webhook.event': judgeEvent,
  'webhook.timestamp': judgeTimestamp,
  'webhook.received-data': judgeReceivedData,
  'webhook.read-data': judgeReadData,
  'webhook.message-id': judgeMessageId,
  'webhook.numbers': judgeNumbers,
  'webhook.recipient-is-waba': judgeRecipientIsWaba,
  'webhook.signature': judgeSignature,
  'webhook.encodings': judgeEncodings,
  'webhook.timestamp-unit': judgeTimestampUnit,
  'webhook.other-data': judgeOtherData,
  'webhook.ordering': judgeOrdering,
  'webhook.retries': judgeRetries,
  'webhook.duplicates': judgeDuplicates,
  'webhook.latency': judgeLatency,
};

/** Judges a trace of deliveries by every clause on webhooks. Pure: the same input gives the same judgement. */
export function judgeWebhooks(log: WebhookLog, knowledge: Knowledge): JudgedWebhooks {
  const all = webhookClauses.map(({ id }) => judges[id]);
  const { verdicts, ...found } = walk(log, knowledge, all);
  const first = webhookClauses.map(({ id }, at) => {
    return { clause: id, verdict: verdicts[at] as ClauseJudgement['verdict'] };
  });
  const violated = new Set(
    first.filter(({ verdict }) => verdict.kind === 'violated').map(({ clause }) => clause),
  );
  return {
    ...found,
    judgements: webhookClauses.map((clause, at) =>
      blamedOnce(clause, first[at] as ClauseJudgement, violated),
    ),
  };
}

/** What could not be judged because another clause is violated says so. */
function blamedOnce(
  { dependsOn }: WebhookClause,
  judgement: ClauseJudgement,
  violated: ReadonlySet<string>,
): ClauseJudgement {
  const because = dependsOn.filter((id) => violated.has(id));
  const { clause, verdict } = judgement;
  if (verdict.kind !== 'inconclusive' || because.length === 0) return judgement;
  const open: Verdict = inconclusive(verdict.reason, because);
  return { clause, verdict: open };
}
