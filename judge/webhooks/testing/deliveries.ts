import { createHmac } from 'node:crypto';
import type { Verdict } from '../../../contract/verdict.ts';
import { captured, capturedHeader } from '../../../contract/webhooks/testing/captured.ts';
import {
  assembleWebhookTrace,
  type Delivery,
  type WebhookTrace,
  type WebhookTraceLine,
} from '../../../contract/webhooks/trace.ts';
import { type Knowledge, type WebhookJudge, walk } from '../case.ts';

/** Times in the tables of tests are ms after this moment. */
export const originMs = 1_760_000_040_000;

export const testSecret = 'secret-of-a-test';

/** An event as the document wants it; a test overrides what it is about. */
export function eventText(event: string, id: string, data: Readonly<Record<string, unknown>> = {}): string {
  const inbound = event === 'message.received';
  const [business, customer] = ['15550001000', '15550002000'];
  return JSON.stringify({
    event,
    timestamp: originMs / 1_000,
    data: {
      message_id: id,
      waba_number: business,
      sender: inbound ? customer : business,
      recipient: inbound ? business : customer,
      ...(inbound ? { type: 'text', body: 'Hello!' } : { status: event.slice('message.'.length) }),
      ...data,
    },
  });
}

/** A delivery of a text at `atMs`, answered 5 ms later with 204, signed by convention. */
export function delivery(atMs: number, text: string, given: Partial<Delivery> = {}): Delivery {
  const signature = createHmac('sha256', testSecret).update(text).digest('hex');
  return captured({
    index: atMs,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Service-Signature', `sha256=${signature}`],
    ],
    body: { text },
    bodyBytes: Buffer.byteLength(text),
    arrivedMs: originMs + atMs,
    completeMs: originMs + atMs,
    status: 204,
    answeredMs: originMs + atMs + 5,
    ...given,
  });
}

export const failed: Partial<Delivery> = { answer: 'error', status: 500 };
export const unanswered: Partial<Delivery> = { answer: 'none', status: null, answeredMs: null };

export function traceOf(
  deliveries: readonly Delivery[],
  more: readonly WebhookTraceLine[] = [],
): WebhookTrace {
  return assembleWebhookTrace([capturedHeader, ...deliveries, ...more]);
}

/** What one judge says of deliveries. */
export function saidBy(
  judge: WebhookJudge,
  deliveries: readonly Delivery[],
  { more = [], ...known }: Partial<Knowledge> & { readonly more?: readonly WebhookTraceLine[] } = {},
): Verdict {
  const { verdicts } = walk(traceOf(deliveries, more), { secrets: [], meanwhile: null, ...known }, [judge]);
  const [verdict] = verdicts;
  if (verdict === undefined || verdict.kind === 'crashed') throw new Error(verdict?.message);
  return verdict;
}

/** What was observed, or the kind of the verdict and why. */
export function textOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'observed':
      return verdict.value;
    case 'held':
      return `held: ${verdict.summary}`;
    case 'violated':
      return `${verdict.reason}: ${verdict.evidence.observed}`;
    default:
      return `${verdict.kind}: ${verdict.reason}`;
  }
}
