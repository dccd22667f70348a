import { answerMs } from '../../../contract/webhooks/drive/answer-faults.ts';
import type { DeliveryLine } from '../../../contract/webhooks/drive/trace.ts';
import { type QuotedDelivery, quotedDeliveriesMax } from '../../../contract/webhooks/drive/verdict.ts';

/** Deliveries as evidence: the first of them, with times relative to it. */
export function quoted(lines: readonly DeliveryLine[]): QuotedDelivery[] {
  const fromMs = lines[0]?.sentMs ?? 0;
  return lines.slice(0, quotedDeliveriesMax).map((line) => ({
    index: line.index,
    name: line.name,
    messageId: line.messageId,
    sentMs: line.sentMs - fromMs,
    answeredAfterMs: answerMs(line),
    status: line.status,
    said: line.failure ?? line.answer ?? '',
  }));
}
