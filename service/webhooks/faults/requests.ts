import { signatureHeader, signaturePrefix } from '../../../contract/webhooks/signature.ts';
import type { HeaderLine, Sender } from '../sender.ts';
import type { SenderFault } from '../sender-fault.ts';

/** Faults in how webhooks are sent. */
export const requestFaults = [
  {
    name: 'webhook-put',
    summary: 'events are sent with PUT',
    must: ['webhook.method'],
    reasons: ['not-post'],
    patch: (sender) => ({ ...sender, method: 'PUT' }),
  },
  contentType('webhook-text-plain', 'text/plain; charset=utf-8', 'content-type-wrong'),
  contentType('webhook-form-type', 'application/x-www-form-urlencoded', 'content-type-wrong'),
  contentType('webhook-json-suffix-type', 'application/vnd.events+json', 'content-type-wrong'),
  contentType('webhook-no-type', null, 'content-type-missing'),
  signature('webhook-unsigned', 'events are sent without a signature', 'signature-missing', () => []),
  signature(
    'webhook-signature-of-another-name',
    'the signature is in X-Signature',
    'signature-missing',
    ([, value]) => [['X-Signature', value]],
  ),
  signature('webhook-signed-twice', 'two signatures in two headers', 'signature-doubled', (line) => [
    line,
    line,
  ]),
  signature(
    'webhook-two-signatures-in-one',
    'two signatures in one header, for example during a change of the secret',
    'signature-doubled',
    ([name, value]) => [[name, `${value},${value}`]],
  ),
  signature(
    'webhook-sha1-prefix',
    'the signature has the prefix sha1=',
    'signature-prefix',
    ([name, value]) => [[name, value.replace('sha256', 'sha1')]],
  ),
  signature(
    'webhook-no-prefix',
    'the signature comes without its prefix',
    'signature-prefix',
    ([name, value]) => [[name, value.slice(signaturePrefix.length)]],
  ),
  signature('webhook-upper-prefix', 'the prefix is written SHA256=', 'signature-prefix', ([name, value]) => [
    [name, value.replace('sha256', 'SHA256')],
  ]),
  signature('webhook-empty-signature', 'nothing follows the prefix', 'signature-empty', ([name]) => [
    [name, signaturePrefix],
  ]),
  {
    name: 'webhook-twice',
    summary: 'every event is sent twice, whatever the answer',
    must: ['webhook.one-post-per-event'],
    reasons: ['sent-twice'],
    patch: (sender) => ({ ...sender, copies: 2 }),
  },
  batch('webhook-batched', 'several events in one request, as a list', (events) => events),
  batch('webhook-batched-in-field', 'several events in one request, in a field', (events) => ({ events })),
] as const satisfies readonly SenderFault[];

function contentType(name: string, type: string | null, reason: string): SenderFault<'webhook.content-type'> {
  return {
    name,
    summary: type === null ? 'events are sent without a content type' : `events are labelled ${type}`,
    must: ['webhook.content-type'],
    reasons: [reason],
    patch: (sender) => ({ ...sender, contentType: type }),
  };
}

/** Replaces the one header line that carries the signature. */
function signature(
  name: string,
  summary: string,
  reason: string,
  lines: (line: HeaderLine) => readonly HeaderLine[],
): SenderFault<'webhook.signature-form'> {
  return {
    name,
    summary,
    must: ['webhook.signature-form'],
    reasons: [reason],
    patch: (sender: Sender) => ({
      ...sender,
      signatures: (toSign) =>
        sender.signatures(toSign).flatMap((line) => (line[0] === signatureHeader ? lines(line) : [line])),
    }),
  };
}

function batch(
  name: string,
  summary: string,
  together: (events: readonly unknown[]) => unknown,
): SenderFault<'webhook.one-post-per-event'> {
  return {
    name,
    summary,
    must: ['webhook.one-post-per-event'],
    reasons: ['several-events-in-one-post'],
    patch: (sender) => ({
      ...sender,
      payload: (event) =>
        together([sender.payload(event), sender.payload({ ...event, timestamp: event.timestamp - 1 })]),
    }),
  };
}
