import type { WebhookClauseId } from '../../../contract/webhooks/clauses.ts';
import type { EventKind } from '../../../contract/webhooks/event.ts';
import type { SenderFault } from '../sender-fault.ts';
import { whole } from './contents.ts';

type Fields = Readonly<Record<string, unknown>>;

const received: readonly EventKind[] = ['message.received'];
const read: readonly EventKind[] = ['message.read'];
const shown: readonly EventKind[] = ['message.received', 'message.read'];

/** Faults in the data of the two events whose data the document shows. */
export const dataFaults = [
  data(
    received,
    ['webhook-no-text', 'a text arrives without its body', 'webhook.received-data', 'body-missing'],
    ({ body: _body, ...rest }) => rest,
  ),
  data(
    received,
    [
      'webhook-received-without-waba',
      'message.received lacks waba_number',
      'webhook.received-data',
      'field-missing',
    ],
    ({ waba_number: _waba, ...rest }) => rest,
  ),
  data(
    received,
    ['webhook-sender-as-number', 'sender is a JSON number', 'webhook.received-data', 'field-no-string'],
    (fields) => ({ ...fields, sender: Number(fields['sender']) }),
  ),
  data(
    received,
    [
      'webhook-other-recipient',
      'recipient is not the number of the business',
      'webhook.recipient-is-waba',
      'recipient-differs',
    ],
    (fields) => ({ ...fields, recipient: '15550009999' }),
  ),
  data(
    read,
    [
      'webhook-read-turned-round',
      'a read receipt has the customer as its sender',
      'webhook.read-data',
      'read-sender',
    ],
    (fields) => ({ ...fields, sender: fields['recipient'], recipient: fields['sender'] }),
  ),
  data(
    read,
    [
      'webhook-read-to-itself',
      'a read receipt has the business as its recipient',
      'webhook.read-data',
      'read-recipient',
    ],
    (fields) => ({ ...fields, recipient: fields['sender'] }),
  ),
  data(
    read,
    ['webhook-read-status', 'the status of a read receipt is seen', 'webhook.read-data', 'read-status'],
    (fields) => ({ ...fields, status: 'seen' }),
  ),
  data(
    read,
    [
      'webhook-read-without-id',
      'a read receipt does not say of which message',
      'webhook.read-data',
      'field-missing',
    ],
    ({ message_id: _id, ...rest }) => rest,
  ),
  data(
    shown,
    ['webhook-bare-id', 'message_id comes without msg_', 'webhook.message-id', 'message-id-form'],
    (fields) => ({ ...fields, message_id: String(fields['message_id']).slice(4) }),
  ),
  data(
    shown,
    ['webhook-plus-sign', 'numbers come with a plus sign', 'webhook.numbers', 'number-form'],
    plusSigns,
  ),
  data(
    received,
    [
      'webhook-spaced-number',
      'the customer’s number has a space and parentheses',
      'webhook.numbers',
      'number-form',
    ],
    (fields) => ({ ...fields, sender: String(fields['sender']).replace(/^(\d)(\d{3})/, '$1 ($2) ') }),
  ),
] as const satisfies readonly SenderFault[];

function plusSigns(fields: Fields): Fields {
  const names = ['waba_number', 'sender', 'recipient'];
  return { ...fields, ...Object.fromEntries(names.map((name) => [name, `+${fields[name]}`])) };
}

type DataFault<Clause> = readonly [name: string, summary: string, clause: Clause, reason: string];

function data<Clause extends WebhookClauseId>(
  kinds: readonly EventKind[],
  [name, summary, clause, reason]: DataFault<Clause>,
  change: (fields: Fields) => Fields,
): SenderFault<Clause> {
  return whole(name, summary, [clause, reason], (event) =>
    kinds.includes(event.event) ? { ...event, data: change(event.data) } : event,
  );
}
