import type { WebhookEvent } from '../../contract/webhooks/event.ts';
import { signatureHeader, signBody } from '../../contract/webhooks/signature.ts';
import { eventIdHeader } from '../choices.ts';
import { type Attempt, afterAttempt, type Settlement } from './retry.ts';

export type HeaderLine = readonly [name: string, value: string];

/** One request to the subscriber, without its address. */
export type WebhookRequest = {
  readonly method: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Uint8Array;
};

export type ToSign = { readonly body: Uint8Array; readonly secret: string };

/**
 * Every decision about deliveries that the document makes a promise about, one field each, as `Behaviour` is for the
 * API. A sender fault replaces a few of them.
 */
export type Sender = {
  readonly method: string;
  readonly contentType: string | null;
  /** The value that becomes the JSON of an event. */
  readonly payload: (event: WebhookEvent) => unknown;
  readonly serialise: (payload: unknown) => string;
  /** Header lines that carry the signature. */
  readonly signatures: (toSign: ToSign) => readonly HeaderLine[];
  /** Name of the header with the event's id; `null` sends none. */
  readonly idHeader: string | null;
  /** How often each event is sent; the documented sender sends it once. */
  readonly copies: number;
  readonly afterAttempt: (attempt: Attempt) => Settlement;
};

/** The sender that keeps the document. */
export const documentedSender: Sender = {
  method: 'POST',
  contentType: 'application/json',
  payload: (event) => event,
  serialise: (payload) => JSON.stringify(payload),
  signatures: ({ body, secret }) => [[signatureHeader, signBody(secret, body)]],
  idHeader: eventIdHeader,
  copies: 1,
  afterAttempt,
};

/** The text of an event: made once, when it is accepted, so that every attempt sends the same bytes. */
export function bodyOf(sender: Sender, event: WebhookEvent): string {
  return sender.serialise(sender.payload(event));
}

export type Outgoing = { readonly body: string; readonly eventId: string; readonly secret: string };

/** One attempt as it goes out. It is signed here, so that no secret is ever stored with an event. */
export function requestOf(sender: Sender, { body, eventId, secret }: Outgoing): WebhookRequest {
  const bytes = Buffer.from(body, 'utf8');
  const type: readonly HeaderLine[] =
    sender.contentType === null ? [] : [['Content-Type', sender.contentType]];
  const id: readonly HeaderLine[] = sender.idHeader === null ? [] : [[sender.idHeader, eventId]];
  const signatures = sender.signatures({ body: bytes, secret });
  return { method: sender.method, headers: [...type, ...signatures, ...id], body: bytes };
}
