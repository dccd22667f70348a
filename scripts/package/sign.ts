import { isSigned, signBody } from '../../contract/webhooks/signature.ts';

/**
 * The value of the header `X-Service-Signature` for a body: `sha256=`, then HMAC-SHA256 (RFC 2104) in lower-case hex.
 * @param secret The webhook's secret.
 * @param body The exact bytes that are sent; text is sent as UTF-8.
 * @throws {TypeError} where the secret is empty, or one of them is of another kind.
 */
export function sign(secret: string, body: string | Uint8Array): string {
  checkSecret(secret);
  if (secret === '') throw new TypeError('secret is empty: everybody could sign so.');
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

/**
 * Whether a secret signed exactly this body. How long it takes tells nothing about how much of the signature was right.
 * @throws {TypeError} where the body or a secret is of another kind, or all of it.
 */
export function verify(delivery: SignedDelivery): boolean {
  if (typeof delivery !== 'object' || delivery === null)
    throw new TypeError('verify takes one object: verify({ body, signature, secret }).');
  const { body, signature, secret } = delivery;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets)) checkSecret(secrets);
  for (const one of secrets) checkSecret(one);
  return isSigned({ value: typeof signature === 'string' ? signature : null, body: bytesOf(body), secrets });
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (ArrayBuffer.isView(body)) return body;
  throw new TypeError(
    `body is ${kindOf(body)}, and has to be text or bytes as they came, before anything parses them.`,
  );
}

/** Programs in JavaScript hand on what a variable holds that is not set. */
function checkSecret(secret: unknown): void {
  if (typeof secret === 'string') return;
  throw new TypeError(
    `secret is ${kindOf(secret)}, and has to be a text: is the variable set that it is taken from?`,
  );
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
