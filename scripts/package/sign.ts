import { isSigned, signBody } from '../../contract/webhooks/signature.ts';

/**
 * The value of the header `X-Service-Signature` for a body: `sha256=`, then HMAC-SHA256 (RFC 2104) in lower-case hex.
 * @param secret The webhook's secret.
 * @param body The exact bytes that are sent; text is sent as UTF-8.
 */
export function sign(secret: string, body: string | Uint8Array): string {
  return signBody(secret, bytesOf(body));
}

export type SignedDelivery = {
  /** The body exactly as it came, before anything parses it. */
  readonly body: string | Uint8Array;
  /** The value of `X-Service-Signature`; `null` or `undefined` where it was missing. */
  readonly signature: string | null | undefined;
  /** The secret; several while it is being changed. An empty one signs nothing. */
  readonly secret: string | readonly string[];
};

/** Whether a secret signed exactly this body. How long it takes tells nothing about how much of the signature was right. */
export function verify({ body, signature, secret }: SignedDelivery): boolean {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  return isSigned({ value: signature ?? null, body: bytesOf(body), secrets });
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
}
