import { createHash, createHmac } from 'node:crypto';
import type { Signature } from '../../../contract/webhooks/drive/cases/words.ts';
import { signaturePrefix, signBody } from '../../../contract/webhooks/signature.ts';

export type Signing = {
  readonly body: Buffer;
  /** The timestamp that the body carries, Unix time. */
  readonly timestampSeconds: number;
  /** One, or two while the first is rotated. */
  readonly secrets: readonly [string, ...string[]];
  /** A secret that the receiver does not know. */
  readonly wrongSecret: string;
};

/**
 * Values of the signature header, one for each time that the header is sent. `null` where this kind of signature cannot
 * be made: the secret cannot be decoded so, or there is no second secret.
 */
export function composeSignature(kind: Signature, signing: Signing): readonly string[] | null {
  const { body, secrets, wrongSecret } = signing;
  const [secret, second] = secrets;
  const right = signBody(secret, body);
  const hex = right.slice(signaturePrefix.length);
  switch (kind) {
    case 'right':
      return [right];
    case 'by-second-secret':
      return second === undefined ? null : [signBody(second, body)];
    case 'absent':
      return [];
    case 'empty':
      return [''];
    case 'by-wrong-secret':
      return [signBody(wrongSecret, body)];
    case 'by-empty-secret':
      return [signBody('', body)];
    case 'first-bit-flipped':
      return [`${signaturePrefix}${flipped(hex, 0)}`];
    case 'last-bit-flipped':
      return [`${signaturePrefix}${flipped(hex, 31)}`];
    case 'of-altered-body':
      return [signBody(secret, altered(body))];
    case 'of-reserialised-body':
      return [signBody(secret, Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8')))))];
    case 'sha1':
      return [`sha1=${createHmac('sha1', secret).update(body).digest('hex')}`];
    case 'other-prefix':
      return [`sha512=${hex}`];
    case 'no-prefix':
      return [hex];
    case 'prefix-alone':
      return [signaturePrefix];
    case 'first-half':
      return [right.slice(0, -32)];
    case 'all-but-one-digit':
      return [right.slice(0, -1)];
    case 'one-digit-more':
      return [`${right}0`];
    case 'non-hex':
      return [`${signaturePrefix}${'z'.repeat(64)}`];
    case 'non-hex-end':
      return [`${right.slice(0, -2)}zz`];
    case 'right-then-wrong':
      return [right, signBody(wrongSecret, body)];
    case 'wrong-then-right':
      return [signBody(wrongSecret, body), right];
    default:
      return composeOther(kind, signing);
  }
}

type Other = Extract<
  Signature,
  | 'upper-case'
  | 'base64'
  | 'plain-sha256'
  | 'sha256-of-secret-and-body'
  | 'timestamp-prefixed'
  | 'by-decoded-hex-secret'
  | 'by-decoded-base64-secret'
>;

/** What receivers compute when they misread the convention. */
function composeOther(
  kind: Other,
  { body, secrets: [secret], timestampSeconds }: Signing,
): readonly string[] | null {
  switch (kind) {
    case 'upper-case':
      return [`${signaturePrefix}${signBody(secret, body).slice(signaturePrefix.length).toUpperCase()}`];
    case 'base64':
      return [`${signaturePrefix}${createHmac('sha256', secret).update(body).digest('base64')}`];
    case 'plain-sha256':
      return [`${signaturePrefix}${createHash('sha256').update(body).digest('hex')}`];
    case 'sha256-of-secret-and-body':
      return [`${signaturePrefix}${createHash('sha256').update(secret).update(body).digest('hex')}`];
    case 'timestamp-prefixed':
      return [signBody(secret, Buffer.concat([Buffer.from(`${timestampSeconds}.`), body]))];
    case 'by-decoded-hex-secret':
      return /^(?:[0-9a-f]{2})+$/i.test(secret) ? [byKey(Buffer.from(secret, 'hex'), body)] : null;
    case 'by-decoded-base64-secret': {
      const bare = secret.replace(/^whsec_/, '');
      const isBase64 = bare.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(bare);
      return isBase64 ? [byKey(Buffer.from(bare, 'base64'), body)] : null;
    }
    default:
      return kind satisfies never;
  }
}

function byKey(key: Buffer, body: Buffer): string {
  return `${signaturePrefix}${createHmac('sha256', key).update(body).digest('hex')}`;
}

/** Hex digits with the lowest bit of one byte flipped. */
function flipped(hex: string, byte: number): string {
  const bytes = Buffer.from(hex, 'hex');
  bytes.writeUInt8(bytes.readUInt8(byte) ^ 1, byte);
  return bytes.toString('hex');
}

/** A body that differs in the last letter of its text, before the closing quote and braces. */
function altered(body: Buffer): Buffer {
  const copy = Buffer.from(body);
  const at = copy.length - 4;
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}
