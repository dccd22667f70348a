import { z } from 'zod';
import { businessNumber, messageBodyCharactersMax, messagesMax, referenceMessageId } from './choices.ts';

/** What a client asks to send. The field names are those of the webhook events. */
export const messageInputSchema = z.strictObject({
  recipient: z
    .string()
    .regex(/^[0-9]{5,15}$/, 'must be a number in international form: 5 to 15 digits, no plus sign'),
  type: z.literal('text', 'must be "text"').default('text'),
  body: z.string().min(1, 'must not be empty').max(messageBodyCharactersMax),
});

export type MessageInput = z.infer<typeof messageInputSchema>;

export type Message = MessageInput & {
  readonly message_id: string;
  readonly waba_number: string;
  readonly sender: string;
  readonly status: 'sent';
};

/** The last `messagesMax` messages in order of sending, and one that always exists. */
export type MessageStore = {
  add(input: MessageInput): Message;
  find(id: string): Message | undefined;
  /** The newest messages, newest first. */
  newest(count: number): readonly Message[];
};

export function createMessageStore(): MessageStore {
  const reference = messageOf(referenceMessageId, {
    recipient: '15550002000',
    type: 'text',
    body: 'This message always exists.',
  });
  const ring = new Array<Message | undefined>(messagesMax);
  let sent = 0;
  return {
    add(input) {
      sent += 1;
      const message = messageOf(idOf(sent), input);
      ring[sent % messagesMax] = message;
      return message;
    },
    find(id) {
      if (id === referenceMessageId) return reference;
      const message = ring[Number(/^msg_([0-9]+)$/.exec(id)?.[1]) % messagesMax];
      return message?.message_id === id ? message : undefined;
    },
    newest(count) {
      const kept = Math.min(count, sent, messagesMax);
      const messages = Array.from(
        { length: kept },
        (_, back) => ring[(sent - back) % messagesMax] ?? reference,
      );
      return kept < count ? [...messages, reference] : messages;
    },
  };
}

function idOf(number: number): string {
  return `msg_${String(number).padStart(10, '0')}`;
}

function messageOf(id: string, input: MessageInput): Message {
  return { message_id: id, waba_number: businessNumber, sender: businessNumber, ...input, status: 'sent' };
}
