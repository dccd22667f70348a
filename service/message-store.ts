import { z } from 'zod';
import {
  businessNumber,
  messageBodyCharactersMax,
  messagesMax,
  referenceMessageId,
  sampleCustomerNumber,
} from './choices.ts';
import { type Stage, stageOf } from './webhooks/stages.ts';

/** The number of a customer, as the document writes numbers. */
export const customerNumberSchema = z
  .string()
  .regex(/^[0-9]{5,15}$/, 'must be a number in international form: 5 to 15 digits, no plus sign');

/** What a client asks to send. The field names are those of the webhook events. */
export const messageInputSchema = z.strictObject({
  recipient: customerNumberSchema,
  type: z.literal('text', 'must be "text"').default('text'),
  body: z.string().min(1, 'must not be empty').max(messageBodyCharactersMax),
});

export type MessageInput = z.infer<typeof messageInputSchema>;

export type Message = MessageInput & {
  readonly message_id: string;
  readonly waba_number: string;
  readonly sender: string;
  /** Its stage at the moment of asking. */
  readonly status: Stage;
};

export type MessageStoreSettings = {
  /** ms since the Unix epoch. */
  readonly nowMs: () => number;
  /** Messages sent by services before this one; numbering goes on after them. */
  readonly sentBefore: number;
  /** Called with each message before it is acknowledged, and with the number of messages so far, this one included. */
  readonly onSent: (message: Message, sentTotal: number) => void;
};

/** The last `messagesMax` messages in order of sending, and one that always exists. */
export type MessageStore = {
  add(input: MessageInput): Message;
  find(id: string): Message | undefined;
  /** The newest messages, newest first. */
  newest(count: number): readonly Message[];
};

type Kept = { readonly message: Message; readonly sentMs: number };

export function createMessageStore({ nowMs, sentBefore, onSent }: MessageStoreSettings): MessageStore {
  const reference = {
    message: messageOf(referenceMessageId, {
      recipient: sampleCustomerNumber,
      type: 'text',
      body: 'This message always exists.',
    }),
    sentMs: Number.NEGATIVE_INFINITY,
  };
  const ring = new Array<Kept | undefined>(messagesMax);
  let sent = sentBefore;
  const asOfNow = ({ message, sentMs }: Kept): Message => ({
    ...message,
    status: stageOf(message.recipient, nowMs() - sentMs),
  });
  return {
    add(input) {
      sent += 1;
      const message = messageOf(idOf(sent), input);
      ring[sent % messagesMax] = { message, sentMs: nowMs() };
      onSent(message, sent);
      return message;
    },
    find(id) {
      if (id === referenceMessageId) return asOfNow(reference);
      const kept = ring[Number(/^msg_([0-9]+)$/.exec(id)?.[1]) % messagesMax];
      return kept?.message.message_id === id ? asOfNow(kept) : undefined;
    },
    newest(count) {
      const listed = Math.min(count, sent - sentBefore, messagesMax);
      const messages = Array.from({ length: listed }, (_, back) =>
        asOfNow(ring[(sent - back) % messagesMax] ?? reference),
      );
      return listed < count ? [...messages, asOfNow(reference)] : messages;
    },
  };
}

function idOf(number: number): string {
  return `msg_${String(number).padStart(10, '0')}`;
}

function messageOf(id: string, input: MessageInput): Message {
  return { message_id: id, waba_number: businessNumber, sender: businessNumber, ...input, status: 'sent' };
}
