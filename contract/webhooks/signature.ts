import { createHmac, timingSafeEqual } from 'node:crypto';

/** Section "Endpoints": the header that carries the signature. */
export const signatureHeader = 'X-Service-Signature';

/** Section "Endpoints": what stands before the signature. */
export const signaturePrefix = 'sha256=';

/**
 * The value of `X-Service-Signature`. How it is computed is not shown in the document; this is the convention:
 * HMAC-SHA256 (RFC 2104) over the exact bytes of the body, as lower-case hex.
 */
export function signBody(secret: string, body: Uint8Array): string {
  return `${signaturePrefix}${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export type SignedBody = {
  /** The header's value; `null` where there is none. */
  readonly value: string | null;
  readonly body: Uint8Array;
  /** Any of them may have signed: two while one is rotated. An empty secret signs nothing. */
  readonly secrets: readonly string[];
};

/** Whether one of the secrets signed exactly these bytes. How long it takes does not tell how much of it was right. */
export function isSigned({ value, body, secrets }: SignedBody): boolean {
  const given = Buffer.from(value ?? '', 'utf8');
  return secrets
    .filter((secret) => secret !== '')
    .map((secret) => Buffer.from(signBody(secret, body), 'utf8'))
    .map((expected) => expected.length === given.length && timingSafeEqual(expected, given))
    .includes(true);
}
