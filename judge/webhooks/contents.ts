import { observed, type Verdict } from '../../contract/verdict.ts';
import { type EventKind, eventKinds } from '../../contract/webhooks/event.ts';
import { type Flaw, shown } from '../evidence.ts';
import { type Arrival, type EventArrival, isObject } from './arrival.ts';
import type { WebhookCase, WebhookJudge } from './case.ts';
import { deliveryOfEvent, examined } from './evidence.ts';
import { eventsIn } from './requests.ts';
import { isSimulated, simulatedText } from './simulated.ts';
import { plausibleUnits, usualUnit } from './timestamps.ts';

/** `webhook.envelope`. Several events in one body are not judged here: that is `webhook.one-post-per-event`. */
export const judgeEnvelope: WebhookJudge = ({ arrivals }) =>
  examined({
    items: arrivals.filter((arrival) => arrival.encoded === null && eventsIn(arrival) === 1),
    deliveryOf: ({ delivery }) => delivery,
    flawOf: envelopeFlaw,
    expected: 'a JSON object with event (a string), timestamp and data (an object)',
    none: arrivals.some(({ encoded }) => encoded !== null)
      ? 'every body is encoded (Content-Encoding), which the document neither shows nor excludes'
      : 'no delivery arrived with its whole body',
    what: 'deliveries',
  });

const byteOrderMark =
  'the body begins with a byte order mark (BOM), which JSON must not have (RFC 8259 §8.1)';

function envelopeFlaw({ parsed, text }: Arrival): Flaw | null {
  if (parsed.kind === 'not-json')
    return { reason: 'body-not-json', seen: text.startsWith('\ufeff') ? byteOrderMark : parsed.why };
  const { value } = parsed;
  if (!isObject(value)) return { reason: 'body-no-object', seen: `the body is ${shown(value)}` };
  const { event, timestamp, data } = value;
  if (typeof event !== 'string') return { reason: 'event-missing', seen: `event is ${shown(event)}` };
  if (timestamp === undefined) return { reason: 'timestamp-missing', seen: 'there is no timestamp' };
  return isObject(data) ? null : { reason: 'data-no-object', seen: `data is ${shown(data)}` };
}

const eventItems = {
  deliveryOf: deliveryOfEvent,
  none: 'no event arrived in an envelope',
  what: 'events',
} as const;

/** `webhook.event` */
export const judgeEvent: WebhookJudge = ({ events }) =>
  examined({
    ...eventItems,
    items: events,
    flawOf: ({ envelope: { event } }) =>
      isKind(event) ? null : { reason: 'event-unknown', seen: `event is ${shown(event)}` },
    expected: eventKinds.join(', '),
  });

function isKind(event: string): event is EventKind {
  return (eventKinds as readonly string[]).includes(event);
}

/** `webhook.timestamp` */
export const judgeTimestamp: WebhookJudge = ({ events }) => {
  const usual = usualUnit(events);
  return examined({
    ...eventItems,
    items: events,
    flawOf: ({ envelope: { timestamp }, delivery }) => {
      if (typeof timestamp !== 'number' || !Number.isInteger(timestamp))
        return { reason: 'timestamp-no-integer', seen: `timestamp is ${shown(timestamp)}` };
      const [unit] = plausibleUnits(timestamp, delivery.arrivedMs);
      if (unit === undefined)
        return {
          reason: 'timestamp-implausible',
          seen: `timestamp ${timestamp} is no time of the last year`,
        };
      const seen = `timestamp ${timestamp} is in ${unit.name}, and most are in ${usual}`;
      return unit.name === usual ? null : { reason: 'timestamp-units-mixed', seen };
    },
    expected: 'an integer: epoch time in any one unit',
  });
};

/** Events of one kind alone. */
function ofKind(subject: WebhookCase, kind: EventKind): readonly EventArrival[] {
  return subject.events.filter(({ envelope }) => envelope.event === kind);
}

/** The fields that an event must have as strings; the first that is none. */
function stringFlaw(data: Readonly<Record<string, unknown>>, names: readonly string[]): Flaw | null {
  const name = names.find((one) => typeof data[one] !== 'string');
  if (name === undefined) return null;
  const seen = data[name] === undefined ? `${name} is missing` : `${name} is ${shown(data[name])}`;
  return { reason: data[name] === undefined ? 'field-missing' : 'field-no-string', seen };
}

/** `webhook.received-data` */
export const judgeReceivedData: WebhookJudge = (subject) => {
  const all = ofKind(subject, 'message.received');
  const whole = all.filter((arrival) => !isSimulated(arrival));
  if (whole.length === 0 && all.length > 0) return observed(simulatedText(all.length));
  return examined({
    ...eventItems,
    none: 'no message.received arrived',
    items: whole,
    flawOf: ({ envelope: { data } }) => {
      const flaw = stringFlaw(data, ['message_id', 'waba_number', 'sender', 'recipient', 'type']);
      if (flaw !== null || data['type'] !== 'text' || typeof data['body'] === 'string') return flaw;
      return { reason: 'body-missing', seen: `type is "text" and body is ${shown(data['body'])}` };
    },
    expected: 'message_id, waba_number, sender, recipient, type, and body where type is text, as strings',
  });
};

/** `webhook.read-data` */
export const judgeReadData: WebhookJudge = (subject) =>
  examined({
    ...eventItems,
    none: 'no message.read arrived',
    items: ofKind(subject, 'message.read'),
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
export const judgeRecipientIsWaba: WebhookJudge = (subject) =>
  examined({
    ...eventItems,
    none: 'no message.received arrived with recipient and waba_number',
    items: ofKind(subject, 'message.received').filter(
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

/** By their digits alone: how a number is written is `webhook.numbers`. */
function sameNumber(left: unknown, right: unknown): boolean {
  return String(left).replace(/\D/g, '') === String(right).replace(/\D/g, '');
}

/** Values of a field in the events whose data the document shows; those that are no string are judged elsewhere. */
function shownFields(
  subject: WebhookCase,
  name: string,
): readonly (EventArrival & { readonly value: string })[] {
  return [...ofKind(subject, 'message.received'), ...ofKind(subject, 'message.read')].flatMap((arrival) => {
    const value = arrival.envelope.data[name];
    return typeof value === 'string' ? [{ ...arrival, value }] : [];
  });
}

/** `webhook.message-id` */
export const judgeMessageId: WebhookJudge = (subject) =>
  examined({
    ...eventItems,
    none: 'no message.received or message.read arrived with a message_id',
    items: shownFields(subject, 'message_id'),
    flawOf: ({ value }) =>
      /^msg_\S+$/.test(value) ? null : { reason: 'message-id-form', seen: `message_id is ${shown(value)}` },
    expected: 'msg_<identifier>',
  });

/** `webhook.numbers` */
export const judgeNumbers = (subject: WebhookCase): Verdict =>
  examined({
    ...eventItems,
    none: 'no message.received or message.read arrived with a number',
    what: 'numbers',
    items: ['waba_number', 'sender', 'recipient'].flatMap((name) =>
      shownFields(subject, name).map((arrival) => ({ ...arrival, name })),
    ),
    flawOf: ({ value, name }) =>
      /^[0-9]+$/.test(value) ? null : { reason: 'number-form', seen: `${name} is ${shown(value)}` },
    expected: 'digits only, without a plus sign',
  });
