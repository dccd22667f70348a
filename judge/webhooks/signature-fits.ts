import { createHash, createHmac } from 'node:crypto';
import { type Signable, signedTexts } from './signed-texts.ts';

/** A computation that gives exactly the value that was sent. */
export type SignatureFit = {
  readonly algorithm: string;
  readonly key: string;
  /** Position among the secrets, from 1. */
  readonly secret: number;
  readonly over: string;
  readonly encoding: string;
};

export type SignatureQuestion = Signable & {
  /** What stands after `sha256=`. */
  readonly signature: string;
  readonly secrets: readonly string[];
};

const keyAsItIs = 'the secret as it is';

/** The computation of an ordinary webhook: what the convention says, and what the service of this project does. */
export const convention = {
  algorithm: 'HMAC-SHA256',
  key: keyAsItIs,
  over: 'the exact bytes of the body',
  encoding: 'lower-case hex',
} as const satisfies Partial<SignatureFit>;

export function isConventional(fit: SignatureFit): boolean {
  return departures(fit).length === 0;
}

/** The parts of a computation that differ from the convention. */
export function departures(fit: SignatureFit): readonly (keyof typeof convention)[] {
  return (['algorithm', 'key', 'over', 'encoding'] as const).filter((part) => fit[part] !== convention[part]);
}

/** The computation that fits, of all in common use; the most ordinary one first. `null` where none does. */
export function signatureFit({ signature, secrets, ...signable }: SignatureQuestion): SignatureFit | null {
  const texts = signedTexts(signable);
  const keyed = secrets.flatMap((secret, at) => keysOf(secret).map((key) => ({ ...key, secret: at + 1 })));
  for (const { what: over, bytes } of texts) {
    for (const { key, bytes: keyBytes, secret } of keyed) {
      for (const [algorithm, digest] of algorithms) {
        const encoding = encodingOf(signature, digest(keyBytes, bytes));
        if (encoding !== null) return { algorithm, key, secret, over, encoding };
      }
    }
  }
  return null;
}

type Key = { readonly key: string; readonly bytes: Uint8Array };

/** What a sender may have made of a secret before it was used as a key. */
function keysOf(secret: string): readonly Key[] {
  const bare = secret.replace(/^whsec_/, '');
  return [
    { key: keyAsItIs, bytes: Buffer.from(secret, 'utf8') },
    ...(secret === secret.trim()
      ? []
      : [{ key: 'the secret without the white space around it', bytes: Buffer.from(secret.trim(), 'utf8') }]),
    { key: 'the secret with a line break after it', bytes: Buffer.from(`${secret}\n`, 'utf8') },
    ...(/^([0-9a-f]{2})+$/i.test(secret)
      ? [{ key: 'the secret decoded from hex', bytes: Buffer.from(secret, 'hex') }]
      : []),
    ...(/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(bare)
      ? [{ key: 'the secret decoded from base64', bytes: Buffer.from(bare, 'base64') }]
      : []),
    ...(bare === secret ? [] : [{ key: 'the secret without "whsec_"', bytes: Buffer.from(bare, 'utf8') }]),
  ];
}

const hmac =
  (name: string) =>
  (key: Uint8Array, bytes: Uint8Array): Buffer =>
    createHmac(name, key).update(bytes).digest();

const algorithms: readonly (readonly [string, (key: Uint8Array, bytes: Uint8Array) => Buffer])[] = [
  ['HMAC-SHA256', hmac('sha256')],
  ['HMAC-SHA1', hmac('sha1')],
  ['HMAC-SHA512', hmac('sha512')],
  ['plain SHA-256, without the secret', (_key, bytes) => createHash('sha256').update(bytes).digest()],
  ['SHA-256 of secret and text', (key, bytes) => createHash('sha256').update(key).update(bytes).digest()],
  ['SHA-256 of text and secret', (key, bytes) => createHash('sha256').update(bytes).update(key).digest()],
];

/** How the digest was written, where the signature is that digest. */
function encodingOf(signature: string, digest: Buffer): string | null {
  const hex = digest.toString('hex');
  if (signature === hex) return 'lower-case hex';
  if (signature.toLowerCase() === hex)
    return signature === hex.toUpperCase() ? 'upper-case hex' : 'hex of mixed case';
  if (signature === digest.toString('base64')) return 'base64';
  if (signature.replace(/=+$/, '') === digest.toString('base64url')) return 'base64url';
  return signature === digest.toString('base64').replace(/=+$/, '') ? 'base64 without padding' : null;
}

/** What a signature looks like that no computation gives, and what that makes likely. */
export function likelyCause(signature: string): string {
  const length = signature.length;
  if (/^[0-9a-f]+$/i.test(signature)) {
    if (length === 64) return 'it has the form of SHA-256 in hex, so another secret is likely';
    if (length === 40) return 'it has the form of SHA-1 in hex, with another secret or text';
    if (length === 128) return 'it has the form of SHA-512 in hex, with another secret or text';
    return `${length} digits of hex are not a digest of SHA-256, which has 64: was it cut off?`;
  }
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(signature))
    return 'it has the form of SHA-256 in base64, so another secret is likely';
  return `${length} characters of an unknown form`;
}
