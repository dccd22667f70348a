import type { WebhookClauseId } from '../../../contract/webhooks/clauses.ts';
import type { WebhookEvent } from '../../../contract/webhooks/event.ts';
import type { SenderFault } from '../sender-fault.ts';

/** Faults in the bodies of webhooks. */
export const contentFaults = [
  body('webhook-form-body', 'the body is a form', 'body-not-json', (event) =>
    new URLSearchParams({ event: event.event, timestamp: String(event.timestamp) }).toString(),
  ),
  body('webhook-string-body', 'the JSON is sent as a JSON string, encoded twice', 'body-no-object', (event) =>
    JSON.stringify(JSON.stringify(event)),
  ),
  body('webhook-list-of-one', 'each event is sent in a list', 'body-no-object', (event) =>
    JSON.stringify([event]),
  ),
  whole(
    'webhook-flat',
    'the fields of data are beside event',
    ['webhook.envelope', 'data-no-object'],
    (event) => ({
      event: event.event,
      timestamp: event.timestamp,
      ...event.data,
    }),
  ),
  whole(
    'webhook-data-as-text',
    'data is JSON inside a string',
    ['webhook.envelope', 'data-no-object'],
    (event) => ({
      ...event,
      data: JSON.stringify(event.data),
    }),
  ),
  whole(
    'webhook-type-for-event',
    'the kind is in a field type',
    ['webhook.envelope', 'event-missing'],
    ({ event, ...rest }) => ({
      type: event,
      ...rest,
    }),
  ),
  whole(
    'webhook-no-timestamp',
    'there is no timestamp',
    ['webhook.envelope', 'timestamp-missing'],
    ({ event, data }) => ({
      event,
      data,
    }),
  ),
  kind('webhook-underscore-kind', 'kinds are written message_read', (event) => event.replace('.', '_')),
  kind('webhook-upper-kind', 'kinds are written in capitals', (event) => event.toUpperCase()),
  kind('webhook-seen-for-read', 'a message that was read is reported as message.seen', (event) =>
    event === 'message.read' ? 'message.seen' : event,
  ),
  timestamp('webhook-iso-timestamp', 'timestamp is ISO 8601 text', 'timestamp-no-integer', (seconds) =>
    new Date(seconds * 1_000).toISOString(),
  ),
  timestamp('webhook-text-timestamp', 'timestamp is a number in a string', 'timestamp-no-integer', String),
  timestamp(
    'webhook-fraction-timestamp',
    'timestamp has a fraction',
    'timestamp-no-integer',
    (seconds) => seconds + 0.25,
  ),
  whole(
    'webhook-mixed-timestamps',
    'timestamp is in milliseconds for message.read alone',
    ['webhook.timestamp', 'timestamp-units-mixed'],
    (event) => (event.event === 'message.read' ? { ...event, timestamp: event.timestamp * 1_000 } : event),
  ),
  timestamp('webhook-zero-timestamp', 'timestamp is always 0', 'timestamp-implausible', () => 0),
  timestamp(
    'webhook-uptime-timestamp',
    'timestamp counts from the start of the service',
    'timestamp-implausible',
    (seconds) => seconds % 86_400,
  ),
] as const satisfies readonly SenderFault[];

function body(
  name: string,
  summary: string,
  reason: string,
  text: (event: WebhookEvent) => string,
): SenderFault<'webhook.envelope'> {
  return {
    name,
    summary,
    must: ['webhook.envelope'],
    reasons: [reason],
    patch: (sender) => ({ ...sender, serialise: (payload) => text(payload as WebhookEvent) }),
  };
}

type Blamed<Clause> = readonly [clause: Clause, reason: string];

/** Another payload for every event. */
export function whole<Clause extends WebhookClauseId>(
  name: string,
  summary: string,
  [clause, reason]: Blamed<Clause>,
  change: (event: WebhookEvent) => unknown,
): SenderFault<Clause> {
  return {
    name,
    summary,
    must: [clause],
    reasons: [reason],
    patch: (sender) => ({ ...sender, payload: change }),
  };
}

function kind(name: string, summary: string, spelt: (event: string) => string): SenderFault<'webhook.event'> {
  return whole(name, summary, ['webhook.event', 'event-unknown'], (event) => ({
    ...event,
    event: spelt(event.event),
  }));
}

function timestamp(
  name: string,
  summary: string,
  reason: string,
  of: (seconds: number) => unknown,
): SenderFault<'webhook.timestamp'> {
  return whole(name, summary, ['webhook.timestamp', reason], (event) => ({
    ...event,
    timestamp: of(event.timestamp),
  }));
}
