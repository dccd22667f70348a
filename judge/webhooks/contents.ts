import { isJsonObject } from '../../contract/json-object.ts';
import { shown } from '../../contract/shown-json.ts';
import { observed } from '../../contract/verdict.ts';
import { type EventKind, eventKinds } from '../../contract/webhooks/event.ts';
import type { Flaw } from '../evidence.ts';
import type { Arrival, EventArrival } from './arrival.ts';
import type { Webhook, WebhookJudge } from './case.ts';
import { eventIn, examined } from './evidence.ts';
import { eventsIn } from './requests.ts';
import { isSimulated, simulatedText } from './simulated.ts';

/** `webhook.envelope`. Several events in one body are not judged here: that is `webhook.one-post-per-event`. */
export const judgeEnvelope: WebhookJudge = ({ book }) => {
  let encoded = 0;
  return examined({
    itemsOf: ({ arrival }) => {
      if (arrival !== null && arrival.encoded !== null) encoded += 1;
      return arrival !== null && arrival.encoded === null && eventsIn(arrival) === 1 ? [arrival] : [];
    },
    flawOf: envelopeFlaw,
    expected: 'a JSON object with event (a string), timestamp and data (an object)',
    none: () =>
      encoded === 0 ? 'no delivery arrived with its whole body' : encodedText(encoded, book.size()),
    what: 'delivery',
  });
};

function encodedText(encoded: number, all: number): string {
  const which = encoded === all ? 'every body is' : `${encoded} of ${all} bodies are`;
  return `${which} encoded (Content-Encoding), which the document neither shows nor excludes`;
}

const byteOrderMark =
  'the body begins with a byte order mark (BOM), which JSON must not have (RFC 8259 §8.1)';

function envelopeFlaw({ parsed, text }: Arrival): Flaw | null {
  if (parsed.kind === 'not-json')
    return { reason: 'body-not-json', seen: text.startsWith('\ufeff') ? byteOrderMark : parsed.why };
  const { value } = parsed;
  if (!isJsonObject(value)) return { reason: 'body-no-object', seen: `the body is ${shown(value)}` };
  const { event, timestamp, data } = value;
  if (typeof event !== 'string') return { reason: 'event-missing', seen: `event is ${shown(event)}` };
  if (timestamp === undefined) return { reason: 'timestamp-missing', seen: 'there is no timestamp' };
  return isJsonObject(data) ? null : { reason: 'data-no-object', seen: `data is ${shown(data)}` };
}

const eventItems = {
  itemsOf: eventIn,
  none: 'no event arrived in an envelope',
  what: 'event',
} as const;

/** `webhook.event` */
export const judgeEvent: WebhookJudge = () =>
  examined({
    ...eventItems,
    flawOf: ({ envelope: { event } }) =>
      isKind(event) ? null : { reason: 'event-unknown', seen: `event is ${shown(event)}` },
    expected: eventKinds.join(', '),
  });

function isKind(event: string): event is EventKind {
  return (eventKinds as readonly string[]).includes(event);
}

/** Examines events of one kind alone. */
function ofKind(kind: EventKind) {
  return (webhook: Webhook): readonly EventArrival[] =>
    eventIn(webhook).filter(({ envelope }) => envelope.event === kind);
}

/** The fields that an event must have as strings; the first that is none. */
function stringFlaw(data: Readonly<Record<string, unknown>>, names: readonly string[]): Flaw | null {
  const name = names.find((one) => typeof data[one] !== 'string');
  if (name === undefined) return null;
  const seen = data[name] === undefined ? `${name} is missing` : `${name} is ${shown(data[name])}`;
  return { reason: data[name] === undefined ? 'field-missing' : 'field-no-string', seen };
}

/** `webhook.received-data` */
export const judgeReceivedData: WebhookJudge = () => {
  let simulated = 0;
  const tally = examined({
    ...eventItems,
    none: 'no message.received arrived',
    itemsOf: (webhook) =>
      ofKind('message.received')(webhook).filter((arrival) => {
        if (!isSimulated(arrival)) return true;
        simulated += 1;
        return false;
      }),
    flawOf: ({ envelope: { data } }) => {
      const flaw = stringFlaw(data, ['message_id', 'waba_number', 'sender', 'recipient', 'type']);
      if (flaw !== null || data['type'] !== 'text' || typeof data['body'] === 'string') return flaw;
      return { reason: 'body-missing', seen: `type is "text" and body is ${shown(data['body'])}` };
    },
    expected: 'message_id, waba_number, sender, recipient, type, and body where type is text, as strings',
  });
  return {
    add: tally.add,
    verdict() {
      const verdict = tally.verdict();
      return verdict.kind === 'inconclusive' && simulated > 0 ? observed(simulatedText(simulated)) : verdict;
    },
  };
};

/** `webhook.read-data` */
export const judgeReadData: WebhookJudge = () =>
  examined({
    ...eventItems,
    none: 'no message.read arrived',
    itemsOf: ofKind('message.read'),
    flawOf: ({ envelope: { data } }) => {
      const flaw = stringFlaw(data, ['message_id', 'waba_number', 'sender', 'recipient', 'status']);
      if (flaw !== null) return flaw;
      if (data['status'] !== 'read')
        return { reason: 'read-status', seen: `status is ${shown(data['status'])}` };
      if (!sameNumber(data['sender'], data['waba_number']))
        return { reason: 'read-sender', seen: 'sender is not the business (waba_number)' };
      return sameNumber(data['recipient'], data['waba_number'])
        ? { reason: 'read-recipient', seen: 'recipient is the business, not the customer' }
        : null;
    },
    expected: 'sender the business, recipient the customer, status "read"',
  });

/** `webhook.recipient-is-waba` */
export const judgeRecipientIsWaba: WebhookJudge = () =>
  examined({
    ...eventItems,
    none: 'no message.received arrived with recipient and waba_number',
    itemsOf: (webhook) =>
      ofKind('message.received')(webhook).filter(
        ({ envelope: { data } }) =>
          typeof data['recipient'] === 'string' && typeof data['waba_number'] === 'string',
      ),
    flawOf: ({ envelope: { data } }) =>
      sameNumber(data['recipient'], data['waba_number'])
        ? null
        : {
            reason: 'recipient-differs',
            seen: `recipient is ${shown(data['recipient'])}, waba_number ${shown(data['waba_number'])}`,
          },
    expected: 'recipient equal to waba_number',
  });

/** By their digits alone, where one of them has any: how a number is written is `webhook.numbers`. */
function sameNumber(left: unknown, right: unknown): boolean {
  const [digits, others] = [left, right].map((one) => String(one).replace(/\D/g, ''));
  return digits === others && (digits !== '' || left === right);
}

/** The events whose data the document shows, those of the first kind first. */
const shownKinds: readonly string[] = ['message.received', 'message.read'];

type ShownField = { readonly name: string; readonly value: string; readonly rank: number };

/** Values of fields in the events whose data the document shows; those that are no string are judged elsewhere. */
function shownFields(webhook: Webhook, names: readonly string[]): readonly ShownField[] {
  return eventIn(webhook).flatMap(({ envelope: { event, data } }) => {
    const kind = shownKinds.indexOf(event);
    if (kind === -1) return [];
    return names.flatMap((name, at) => {
      const value = data[name];
      return typeof value === 'string' ? [{ name, value, rank: at * shownKinds.length + kind }] : [];
    });
  });
}

const rankOf = ({ rank }: ShownField): number => rank;

/** `webhook.message-id` */
export const judgeMessageId: WebhookJudge = () =>
  examined({
    rankOf,
    what: 'event',
    none: 'no message.received or message.read arrived with a message_id',
    itemsOf: (webhook) => shownFields(webhook, ['message_id']),
    flawOf: ({ value }) =>
      /^msg_\S+$/.test(value) ? null : { reason: 'message-id-form', seen: `message_id is ${shown(value)}` },
    expected: 'msg_<identifier>',
  });

/** `webhook.numbers` */
export const judgeNumbers: WebhookJudge = () =>
  examined({
    rankOf,
    none: 'no message.received or message.read arrived with a number',
    what: 'number',
    itemsOf: (webhook) => shownFields(webhook, ['waba_number', 'sender', 'recipient']),
    flawOf: ({ value, name }) =>
      /^[0-9]+$/.test(value) ? null : { reason: 'number-form', seen: `${name} is ${shown(value)}` },
    expected: 'digits only, without a plus sign',
  });
