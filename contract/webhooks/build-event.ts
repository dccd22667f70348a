import type { EventKind, WebhookEvent } from './event.ts';

/** What an event is about: one message between the business and a customer. */
export type EventFacts = {
  readonly messageId: string;
  /** Number of the business, digits only. */
  readonly businessNumber: string;
  /** Number of the customer, digits only. */
  readonly customerNumber: string;
  /** What the customer wrote; `message.received` alone carries it. */
  readonly text: string;
};

/** A failure that the document names: "for example an invalid number". */
const invalidNumber = {
  code: 'invalid_number',
  message: 'The recipient is not a number of this channel.',
};

/** Facts for events without a real message. */
export const sampleFacts: EventFacts = {
  messageId: 'msg_sample0001',
  businessNumber: '15550001000',
  customerNumber: '15550002000',
  text: 'Hello! Grüße, 你好, 👋 </b>',
};

/**
 * An event as the reference service sends it. The document does not show the data of sent, delivered and failed. Here
 * they are the data of `message.read` with another status, and `error` for a failure.
 * @param timestampSeconds Unix time.
 */
export function buildEvent(kind: EventKind, facts: EventFacts, timestampSeconds: number): WebhookEvent {
  const { messageId, businessNumber, customerNumber, text } = facts;
  const outbound = {
    message_id: messageId,
    waba_number: businessNumber,
    sender: businessNumber,
    recipient: customerNumber,
  };
  const timestamp = timestampSeconds;
  switch (kind) {
    case 'message.received': {
      const inbound = { ...outbound, sender: customerNumber, recipient: businessNumber };
      return { event: kind, timestamp, data: { ...inbound, type: 'text', body: text } };
    }
    case 'message.sent':
      return { event: kind, timestamp, data: { ...outbound, status: 'sent' } };
    case 'message.delivered':
      return { event: kind, timestamp, data: { ...outbound, status: 'delivered' } };
    case 'message.read':
      return { event: kind, timestamp, data: { ...outbound, status: 'read' } };
    case 'message.failed':
      return { event: kind, timestamp, data: { ...outbound, status: 'failed', error: invalidNumber } };
    default:
      return kind satisfies never;
  }
}
