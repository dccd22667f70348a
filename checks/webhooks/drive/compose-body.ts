import { buildEvent, sampleFacts } from '../../../contract/webhooks/build-event.ts';
import type { Content, Form } from '../../../contract/webhooks/drive/cases/words.ts';

export type BodyFacts = {
  readonly content: Content;
  readonly form: Form;
  readonly messageId: string;
  /** Unix time. */
  readonly timestampSeconds: number;
};

/** Exactly 1 MiB: what frameworks call "1mb" lets it through. */
export const largeBodyBytes = 1_048_576;

/** The most that a messenger lets a customer write: code points, none of which takes two units of UTF-16. */
export const longTextCharacters = 4_096;

const longText = 'Grüße aus Köln, 你好: '.repeat(longTextCharacters).slice(0, longTextCharacters);

const plainText = 'Hello, is my order on its way?';

/** The exact bytes of a delivery's body. */
export function composeBody({ content, form, messageId, timestampSeconds }: BodyFacts): Buffer {
  const ordinary = form === 'unescaped' || form === 'escaped' ? sampleFacts.text : plainText;
  const text = content === 'long-text' ? longText : ordinary;
  const event = { content, messageId, timestampSeconds };
  if (content === 'large') return largeBody(event);
  return Buffer.from(written(eventValue({ ...event, text }), form), 'utf8');
}

type Event = Omit<BodyFacts, 'form'>;
type Value = Readonly<Record<string, unknown>>;

function eventValue({
  content,
  messageId,
  timestampSeconds,
  text,
}: Event & { readonly text: string }): Value {
  const facts = { ...sampleFacts, messageId, text };
  const received = buildEvent('message.received', facts, timestampSeconds);
  const { event, timestamp, data } = received;
  switch (content) {
    case 'received':
    case 'long-text':
    case 'large':
      return received;
    case 'sent':
    case 'delivered':
    case 'read':
    case 'failed':
      return buildEvent(`message.${content}`, facts, timestampSeconds);
    case 'simulated':
      return {
        event,
        timestamp,
        data: { message_id: messageId, sender: data['sender'], type: 'text', body: text },
      };
    case 'extra-fields':
      return {
        event,
        timestamp,
        data: { ...data, priority: 3, tags: ['vip', null], context: { channel: 'support' } },
        id: `evt_${messageId}`,
        api_version: 'v1',
        livemode: false,
      };
    case 'unknown-event':
      return {
        event: 'message.reaction',
        timestamp,
        data: { message_id: messageId, emoji: '+1', sent: 'yes' },
      };
    case 'other-type': {
      const { body: _text, ...rest } = data as Readonly<Record<string, unknown>>;
      return {
        event,
        timestamp,
        data: { ...rest, type: 'image', media: { mime_type: 'image/png', bytes: 1_024 } },
      };
    }
    default:
      return content satisfies never;
  }
}

function written(value: Value, form: Form): string {
  switch (form) {
    case 'compact':
    case 'unescaped':
      return JSON.stringify(value);
    case 'escaped':
      return JSON.stringify(value)
        .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .replaceAll('/', '\\/');
    case 'white-space':
      // Line breaks inside texts are escaped, so every other line break is between tokens.
      return ` \t${JSON.stringify(value, null, '\t').replaceAll('\n', ' \r\n')} \n`;
    default:
      return form satisfies never;
  }
}

function largeBody(event: Event): Buffer {
  const empty = Buffer.byteLength(JSON.stringify(eventValue({ ...event, text: '' })));
  return Buffer.from(
    JSON.stringify(eventValue({ ...event, text: 'a'.repeat(largeBodyBytes - empty) })),
    'utf8',
  );
}
