import { createHmac, timingSafeEqual } from 'node:crypto';

/** Section "Endpoints": the header that carries the signature. */
export const signatureHeader = 'X-Service-Signature';

/** Section "Endpoints": what stands before the signature. */
export const signaturePrefix = 'sha256=';

/**
 * The value of `X-Service-Signature`. The document does not show how it is computed; this is the convention:
 * HMAC-SHA256 (RFC 2104) over the exact bytes of the body, as lower-case hex.
 */
export function signBody(secret: string, body: Uint8Array): string {
  return `${signaturePrefix}${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export type SignedBody = {
  /** The header's value; `null` where there is none. */
  readonly value: string | null;
  readonly body: Uint8Array;
  /** Any of them may have signed: there are two during a change of the secret. An empty secret signs nothing. */
  readonly secrets: readonly string[];
};

/**
 * Whether one of the secrets signed exactly these bytes. The time that it takes does not reveal how much of the value
 * was right.
 */
export function isSigned({ value, body, secrets }: SignedBody): boolean {
  const given = Buffer.from(value ?? '', 'utf8');
  return secrets
    .filter((secret) => secret !== '')
    .map((secret) => Buffer.from(signBody(secret, body), 'utf8'))
    .map((expected) => expected.length === given.length && timingSafeEqual(expected, given))
    .includes(true);
}
