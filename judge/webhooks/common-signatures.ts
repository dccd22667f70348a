import { algorithms, keysOf } from './digests.ts';
import { convention } from './signature-fits.ts';
import { type Signable, signedTexts } from './signed-texts.ts';

/** A value of the signature's header, and the computation that gives it. */
export type CommonSignature = { readonly what: string; readonly value: string };

/** A receiver is asked about this many, at most. */
const signaturesMax = 200;

/**
 * The signatures that receivers expect which compute something else than the convention, the most common first. Each
 * departs from it in one thing: these are the computations by which `webhooks verify` explains a value.
 */
export function commonSignatures(signable: Signable, secret: string): readonly CommonSignature[] {
  const [usual, ...otherAlgorithms] = algorithms;
  const [key, ...otherKeys] = keysOf(secret);
  const [, ...otherTexts] = signedTexts(signable);
  if (usual === undefined || key === undefined) return [];
  const right = usual.digest(key.bytes, signable.bytes);
  const named = (change: Partial<Record<keyof typeof convention, string>>): string => {
    const { algorithm, over, key: by, encoding } = { ...convention, ...change };
    return `${algorithm} over ${over}, by ${by}, as ${encoding}`;
  };
  const hex = (digest: Buffer): string => `sha256=${digest.toString('hex')}`;
  const all: readonly CommonSignature[] = [
    { what: named({ encoding: 'lower-case hex without "sha256="' }), value: right.toString('hex') },
    { what: named({ encoding: 'base64' }), value: `sha256=${right.toString('base64')}` },
    { what: named({ encoding: 'base64 without "sha256="' }), value: right.toString('base64') },
    ...otherTexts.map(({ what, bytes }) => ({
      what: named({ over: what }),
      value: hex(usual.digest(key.bytes, bytes)),
    })),
    ...otherKeys.map((one) => ({
      what: named({ key: one.key }),
      value: hex(usual.digest(one.bytes, signable.bytes)),
    })),
    ...otherAlgorithms.map(({ algorithm, digest }) => ({
      what: named({ algorithm }),
      value: hex(digest(key.bytes, signable.bytes)),
    })),
  ];
  return all.slice(0, signaturesMax);
}
