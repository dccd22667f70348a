import { createHash, createHmac } from 'node:crypto';

export const keyAsItIs = 'the secret as it is';

export type Key = { readonly key: string; readonly bytes: Uint8Array };

/** What a sender may have made of a secret before it was used as a key, each key once. */
export function keysOf(secret: string): readonly Key[] {
  const bare = secret.replace(/^whsec_/, '');
  const unquoted = secret.replace(/^(["'])(.*)\1$/s, '$2');
  const texts: readonly (readonly [key: string, text: string])[] = [
    [keyAsItIs, secret],
    ['the secret without the white space around it', secret.trim()],
    ['the secret with a line break after it', `${secret}\n`],
    ['the secret without "whsec_"', bare],
    ['the secret without the quotes around it', unquoted],
    ['the secret in double quotes', `"${secret}"`],
    ['the secret in single quotes', `'${secret}'`],
    ['the secret encoded as base64', Buffer.from(secret).toString('base64')],
    ['the secret’s SHA-256 in hex', createHash('sha256').update(secret).digest('hex')],
  ];
  const keys: readonly Key[] = [
    ...texts.map(([key, text]) => ({ key, bytes: Buffer.from(text, 'utf8') })),
    ...(/^([0-9a-f]{2})+$/i.test(secret)
      ? [{ key: 'the secret decoded from hex', bytes: Buffer.from(secret, 'hex') }]
      : []),
    ...(/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(bare)
      ? [{ key: 'the secret decoded from base64', bytes: Buffer.from(bare, 'base64') }]
      : []),
  ];
  const seen = new Set<string>();
  return keys.filter(({ bytes }) => {
    const id = Buffer.from(bytes).toString('latin1');
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

export type Algorithm = {
  readonly algorithm: string;
  readonly digest: (key: Uint8Array, text: Uint8Array) => Buffer;
};

function hmac(algorithm: string, name: string): Algorithm {
  return { algorithm, digest: (key, text) => createHmac(name, key).update(text).digest() };
}

function hash(algorithm: string, name: string, order: 'text' | 'key-text' | 'text-key'): Algorithm {
  return {
    algorithm,
    digest: (key, text) => {
      const parts = { text: [text], 'key-text': [key, text], 'text-key': [text, key] }[order];
      const made = createHash(name);
      for (const part of parts) made.update(part);
      return made.digest();
    },
  };
}

/** How digests are computed, the most common first. */
export const algorithms: readonly Algorithm[] = [
  hmac('HMAC-SHA256', 'sha256'),
  hmac('HMAC-SHA1', 'sha1'),
  hmac('HMAC-SHA512', 'sha512'),
  hmac('HMAC-SHA384', 'sha384'),
  hmac('HMAC-MD5', 'md5'),
  hash('plain SHA-256, without the secret', 'sha256', 'text'),
  hash('SHA-256 of secret and text', 'sha256', 'key-text'),
  hash('SHA-256 of text and secret', 'sha256', 'text-key'),
  {
    algorithm: 'HMAC-SHA256 with text and key exchanged',
    digest: (key, text) => createHmac('sha256', text).update(key).digest(),
  },
];

/** A digest in the alphabets that it is written with; base64 without the padding at its end. Most are hex. */
type WrittenDigest = { readonly hex: string; readonly base64: string; readonly base64url: string };

export function writtenDigest(digest: Buffer): WrittenDigest {
  return {
    hex: digest.toString('hex'),
    get base64() {
      return unpadded(digest.toString('base64'));
    },
    get base64url() {
      return digest.toString('base64url');
    },
  };
}

/** A digest that a signature may stand for, and how it is written then. */
export type Goal = { readonly encoding: string; readonly fits: (digest: WrittenDigest) => boolean };

/** How an encoding is called that leaves out the rest of the digest. */
export const begun = 'the first';

/** Fewer digits of a digest may be like it by chance. */
const digitsMin = 16;

/** Every way in which a signature may be a digest that was written down. The first that fits is the most ordinary one. */
export function goalsOf(signature: string): readonly Goal[] {
  const { length } = signature;
  const lower = signature.toLowerCase();
  const withoutSigns = lower.replaceAll(/0x|[:-]/g, '');
  const bare = unpadded(signature);
  const decoded = Buffer.from(bare, 'base64').toString('latin1').toLowerCase();
  return [
    { encoding: hexName(signature), fits: ({ hex }) => hex === lower },
    {
      encoding: `${begun} ${length} digits of hex`,
      fits: ({ hex }) => length >= digitsMin && hex.startsWith(lower),
    },
    { encoding: 'hex with signs between', fits: ({ hex }) => hex === withoutSigns },
    {
      encoding: length % 4 === 0 ? 'base64' : 'base64 without padding',
      fits: ({ base64 }) => base64 === bare,
    },
    { encoding: 'base64url', fits: ({ base64url }) => base64url === bare },
    { encoding: 'base64 of the hex digits', fits: ({ hex }) => hex === decoded },
  ];
}

function hexName(signature: string): string {
  if (signature === signature.toLowerCase()) return 'lower-case hex';
  return signature === signature.toUpperCase() ? 'upper-case hex' : 'hex of mixed case';
}

function unpadded(base64: string): string {
  return base64.replace(/=+$/, '');
}
