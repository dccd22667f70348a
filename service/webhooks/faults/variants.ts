import { createHmac } from 'node:crypto';
import { signatureHeader, signaturePrefix } from '../../../contract/webhooks/signature.ts';
import type { Sender, ToSign } from '../sender.ts';
import type { SenderVariant } from '../sender-fault.ts';

/** Ways of sending that the document leaves open. */
export const senderVariants: readonly SenderVariant[] = [
  {
    name: 'webhook-charset',
    summary: 'the content type says its charset',
    observed: ['webhook.encodings', 'non-ASCII raw'],
    patch: (sender) => ({ ...sender, contentType: 'Application/JSON; charset=utf-8' }),
  },
  {
    name: 'webhook-milliseconds',
    summary: 'timestamp is in milliseconds',
    observed: ['webhook.timestamp-unit', 'milliseconds ('],
    patch: (sender) => ({
      ...sender,
      payload: (event) => ({ ...event, timestamp: event.timestamp * 1_000 }),
    }),
  },
  {
    name: 'webhook-escaped',
    summary: 'non-ASCII and "/" are escaped in JSON',
    observed: ['webhook.encodings', 'non-ASCII escaped, "/" escaped'],
    patch: (sender) => ({ ...sender, serialise: (payload) => escaped(sender.serialise(payload)) }),
  },
  {
    name: 'webhook-indented',
    summary: 'the JSON is indented, with a line break at its end',
    observed: ['webhook.encodings', 'indented'],
    patch: (sender) => ({ ...sender, serialise: (payload) => `${JSON.stringify(payload, null, 2)}\n` }),
  },
  {
    name: 'webhook-more-fields',
    summary: 'events have fields that the document does not show',
    observed: ['webhook.other-data', 'attempt (number)'],
    patch: (sender) => ({
      ...sender,
      payload: (event) => ({ ...event, version: 2, data: { ...event.data, attempt: 1 } }),
    }),
  },
  signed('webhook-base64', 'the signature is base64', 'as base64', ({ body, secret }) =>
    createHmac('sha256', secret).update(body).digest('base64'),
  ),
  signed('webhook-upper-hex', 'the signature is upper-case hex', 'as upper-case hex', ({ body, secret }) =>
    createHmac('sha256', secret).update(body).digest('hex').toUpperCase(),
  ),
  signed(
    'webhook-signs-spaced',
    'the signature is over JSON as Python writes it, but compact JSON is sent',
    'as Python does',
    ({ body, secret }) => createHmac('sha256', secret).update(pythonText(body)).digest('hex'),
  ),
  signed(
    'webhook-signs-time',
    'the signature is over timestamp, "." and the body',
    '"." and the body',
    ({ body, secret }) =>
      createHmac('sha256', secret)
        .update(`${timestampOf(body)}.`)
        .update(body)
        .digest('hex'),
  ),
  signed(
    'webhook-other-secret',
    'the signature is by another secret',
    'another secret is likely',
    ({ body }) => createHmac('sha256', 'nobody was told').update(body).digest('hex'),
  ),
  {
    name: 'webhook-no-id',
    summary: 'no header carries the id of an event',
    observed: ['webhook.duplicates', 'no header gives events an id'],
    patch: (sender) => ({ ...sender, idHeader: null }),
  },
  {
    name: 'webhook-no-retries',
    summary: 'an event is sent once, and never again',
    observed: ['webhook.retries', 'none of'],
    patch: (sender) => ({
      ...sender,
      afterAttempt: (attempt) => {
        const settlement = sender.afterAttempt(attempt);
        return settlement.kind === 'retry' ? { kind: 'give-up', why: 'tried once' } : settlement;
      },
    }),
  },
];

function signed(
  name: string,
  summary: string,
  says: string,
  value: (toSign: ToSign) => string,
): SenderVariant {
  return {
    name,
    summary,
    observed: ['webhook.signature', says],
    patch: (sender: Sender) => ({
      ...sender,
      signatures: (toSign) => [[signatureHeader, signaturePrefix + value(toSign)]],
    }),
  };
}

function escaped(json: string): string {
  return escapedAscii(json.replaceAll('/', '\\/'));
}

/** Flat objects inside one object are all that events hold. */
function pythonText(body: Uint8Array): string {
  const text = JSON.stringify(JSON.parse(Buffer.from(body).toString('utf8')), null, 1);
  return escapedAscii(
    text
      .replace(/\n\s*(?=[}\]])/g, '')
      .replace(/([[{])\n\s*/g, '$1')
      .replace(/,\n\s*/g, ', '),
  );
}

function escapedAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function timestampOf(body: Uint8Array): number {
  return (JSON.parse(Buffer.from(body).toString('utf8')) as { timestamp: number }).timestamp;
}
