import type { Delivery, HeaderForm } from '../../../contract/webhooks/drive/delivery.ts';
import { signatureHeader } from '../../../contract/webhooks/signature.ts';
import { composeBody } from './compose-body.ts';
import { composeSignature, type Signing } from './compose-signature.ts';

/** A request as it is written to a connection. */
export type WebhookRequest = {
  /** All headers in their order, spelled as they are sent; one name may come twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly framing: Delivery['framing'];
};

export type RequestFacts = Pick<Signing, 'secrets' | 'wrongSecret' | 'timestampSeconds'> & {
  /** Host and port of the receiver. */
  readonly host: string;
  readonly userAgent: string;
  readonly messageId: string;
  /** The value of the signature, where it is another than the delivery names. */
  readonly signatureValue?: string | undefined;
};

/** The request of a delivery, byte for byte; `null` where its signature cannot be made (see `composeSignature`). */
export function composeRequest(delivery: Delivery, facts: RequestFacts): WebhookRequest | null {
  const { content, form, framing } = delivery;
  const { host, userAgent, messageId, timestampSeconds } = facts;
  const body = composeBody({ content, form, messageId, timestampSeconds });
  const given = facts.signatureValue;
  const values = given === undefined ? composeSignature(delivery.signature, { ...facts, body }) : [given];
  if (values === null) return null;
  const signatureFields = values.map((value) => signatureField(delivery.header, value));
  return webhookRequest({ host, userAgent, signatureFields, body, framing });
}

export type RequestParts = Pick<RequestFacts, 'host' | 'userAgent'> & {
  readonly signatureFields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly framing: Delivery['framing'];
};

/** A request as the service sends it, with the given signature, body and framing. */
export function webhookRequest(parts: RequestParts): WebhookRequest {
  const { host, userAgent, signatureFields, body, framing } = parts;
  return {
    headers: [
      ['Host', host],
      ['User-Agent', userAgent],
      ['Accept', '*/*'],
      ['Content-Type', 'application/json'],
      ...signatureFields,
      framing === 'chunked' ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)],
    ],
    body,
    framing,
  };
}

function signatureField(form: HeaderForm, value: string): readonly [string, string] {
  switch (form) {
    case 'documented':
      return [signatureHeader, value];
    case 'lower-case':
      return [signatureHeader.toLowerCase(), value];
    case 'upper-case':
      return [signatureHeader.toUpperCase(), value];
    case 'mixed-case':
      return ['x-Service-sIGNATURE', value];
    case 'padded':
      return [signatureHeader, `  ${value} \t`];
    default:
      return form satisfies never;
  }
}
