import type { Clause, MustId } from '../clause.ts';

const needs = 'webhook';
const never = 'Never: what is found is reported.';

/** What the document promises about how webhooks arrive. */
const requestClauses = [
  {
    id: 'webhook.method',
    section: 'Endpoints',
    level: 'must',
    title: 'webhooks are POSTed',
    requirement: 'A webhook is an HTTP POST request.',
    judged: 'The method of every request that reached the receiver.',
    violation: 'Another method.',
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.content-type',
    section: 'Endpoints',
    level: 'must',
    title: 'Content-Type is application/json',
    requirement: 'A webhook carries Content-Type: application/json.',
    judged: 'The media type of every delivery, in any case; parameters such as charset are allowed.',
    violation: 'Another type, several, or none.',
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.signature-form',
    section: 'Authentication',
    level: 'must',
    title: 'one signature, sha256=<signature>',
    requirement: 'A webhook carries exactly one header X-Service-Signature, of the form sha256=<signature>.',
    judged: 'The header lines of every delivery; what the value is computed from is observed.',
    violation: 'No such header, two of them, another prefix, or nothing after it.',
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.one-post-per-event',
    section: 'Events',
    level: 'must',
    title: 'one POST for each event',
    requirement: 'Every event is delivered as one HTTP POST, which carries that event alone.',
    judged:
      'Bodies that hold several events; and whether most events come again after a 2xx that was given at once, and read: ' +
      'a later request on the same connection shows that. Without it nothing is proven, because a sender that saw no ' +
      'answer has to send again.',
    violation: 'A list of events in one request, or events that are sent twice as a rule.',
    needs,
    dependsOn: [],
  },
] as const satisfies readonly Clause[];

const fields = 'Resources and their fields';
const enveloped = ['webhook.one-post-per-event', 'webhook.envelope'] as const;

/** What the document promises about what webhooks say. */
const contentClauses = [
  {
    id: 'webhook.envelope',
    section: fields,
    level: 'must',
    title: 'event, timestamp and data',
    requirement: 'The body is a JSON object with event (a string), timestamp and data (an object).',
    judged: 'Every body that arrived whole; further fields are allowed.',
    violation: 'No JSON, no object, a field that is missing, data that is no object.',
    needs,
    dependsOn: ['webhook.one-post-per-event'],
  },
  {
    id: 'webhook.event',
    section: fields,
    level: 'must',
    title: 'event is one of five',
    requirement: 'event is message.received, .sent, .delivered, .read or .failed, exactly so.',
    judged: 'Every delivery with an envelope.',
    violation: 'Another kind, or another spelling.',
    needs,
    dependsOn: enveloped,
  },
  {
    id: 'webhook.timestamp',
    section: fields,
    level: 'must',
    title: 'timestamp is an epoch number',
    requirement: 'timestamp is an integer, the time of the event as an epoch number; its unit is not stated.',
    judged:
      'Violated where it is no integer, or where in no unit from seconds to nanoseconds it is a time of the year before ' +
      'its arrival, five minutes ahead allowed for clocks; or where it is in another unit than most.',
    violation: 'A string, a fraction, zero, a time outside these bounds, or several units.',
    needs,
    dependsOn: enveloped,
  },
  {
    id: 'webhook.received-data',
    section: fields,
    level: 'must',
    title: 'data of message.received',
    requirement:
      'data holds message_id, waba_number, sender, recipient and type, all strings, and body where type is text.',
    judged:
      'Every message.received. One without waba_number and recipient is only named: the document allows it for local ' +
      'simulation.',
    violation: 'A field that is missing or no string.',
    needs,
    dependsOn: enveloped,
  },
  {
    id: 'webhook.read-data',
    section: fields,
    level: 'must',
    title: 'data of message.read',
    requirement:
      'data holds message_id, waba_number, sender, recipient and status, all strings: the sender is the business, the ' +
      'recipient the customer, the status read.',
    judged: 'Every message.read; the business is who has the waba_number.',
    violation: 'A field that is missing, sender and recipient exchanged, another status.',
    needs,
    dependsOn: enveloped,
  },
  {
    id: 'webhook.message-id',
    section: fields,
    level: 'must',
    title: 'message_id is msg_<identifier>',
    requirement: 'message_id has the form msg_<identifier>.',
    judged: 'Every message.received and message.read with a message_id.',
    violation: 'Another form.',
    needs,
    dependsOn: enveloped,
  },
  {
    id: 'webhook.numbers',
    section: fields,
    level: 'must',
    title: 'numbers are digits only',
    requirement:
      'waba_number, sender and recipient are digits only, in international form without a plus sign.',
    judged: 'Every message.received and message.read with these fields.',
    violation: 'A plus sign, spaces, anything that is no digit.',
    needs,
    dependsOn: enveloped,
  },
  {
    id: 'webhook.recipient-is-waba',
    section: fields,
    level: 'must',
    title: 'an inbound message is to waba_number',
    requirement: 'In message.received, recipient equals waba_number.',
    judged: 'Every message.received with both.',
    violation: 'Two numbers that differ.',
    needs,
    dependsOn: [...enveloped, 'webhook.received-data'],
  },
] as const satisfies readonly Clause[];

/** Where the document is silent about webhooks. */
const silentClauses = [
  {
    id: 'webhook.signature',
    section: 'Authentication',
    level: 'observe',
    title: 'what is signed, and how',
    requirement: 'The document does not show how the signature is computed.',
    judged:
      'With the secret: every computation in common use is tried on the raw bytes; the one that fits is named, or else ' +
      'why none may fit.',
    violation: never,
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.encodings',
    section: fields,
    level: 'observe',
    title: 'how text is encoded',
    requirement: 'The document does not show how characters and numbers are written in JSON.',
    judged:
      'Whether non-ASCII, "/" and "<" are escaped, white space, Content-Encoding, names that come twice in one object, ' +
      'integers that a double cannot hold or that are written with a fraction.',
    violation: never,
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.timestamp-unit',
    section: fields,
    level: 'observe',
    title: 'unit of timestamp',
    requirement: 'The document does not state the unit; its samples have ten digits.',
    judged: 'The unit in which every timestamp is a time shortly before its arrival.',
    violation: never,
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.other-data',
    section: fields,
    level: 'observe',
    title: 'data of sent, delivered, failed',
    requirement: 'The document does not show these data, nor any failure reason.',
    judged: 'The fields found are listed, with their types.',
    violation: never,
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.ordering',
    section: 'States and transitions',
    level: 'observe',
    title: 'order of a message’s events',
    requirement: 'The document shows no transitions and promises no order.',
    judged:
      'Messages whose events arrive in another order than sent, delivered, read; and sequences that no message can have.',
    violation: never,
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.retries',
    section: 'Events',
    level: 'observe',
    title: 'retries, by kind of answer',
    requirement: 'The document does not show retries.',
    judged:
      'After each kind of answer: how often an event comes again, after what pauses, with the same bytes or not.',
    violation: never,
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.duplicates',
    section: 'Events',
    level: 'observe',
    title: 'events that come again after a 2xx',
    requirement: 'The document gives no delivery guarantees.',
    judged:
      'Events accepted with 2xx that arrive once more, and a header that gives all arrivals of an event one id.',
    violation: never,
    needs,
    dependsOn: [],
  },
  {
    id: 'webhook.latency',
    section: 'Events',
    level: 'observe',
    title: 'delay, and loss while limited',
    requirement: 'The document does not show how soon events are delivered, or that all are.',
    judged:
      'Arrival less timestamp; where the run sent the messages itself, what never arrived, and the delay while a key was ' +
      'being refused for its rate limit.',
    violation: never,
    needs,
    dependsOn: [],
  },
] as const satisfies readonly Clause[];

const registered = [...requestClauses, ...contentClauses, ...silentClauses] as const;

type Registered = (typeof registered)[number];

export type WebhookClauseId = Registered['id'];

export type MustWebhookClauseId = MustId<Registered>;

/** A clause on webhooks whose id is known to the compiler. */
export type WebhookClause = Clause & { readonly id: WebhookClauseId };

/**
 * Every clause on webhooks, in the order of reports. A registry of its own: `clauses/registry.ts` holds what a run of
 * requests is judged by, this what a trace of deliveries is.
 */
export const webhookClauses: readonly WebhookClause[] = registered;
