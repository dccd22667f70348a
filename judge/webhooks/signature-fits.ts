import {
  type Algorithm,
  algorithms,
  type Goal,
  goalsOf,
  type Key,
  keyAsItIs,
  keysOf,
  writtenDigest,
} from './digests.ts';
import { signatureValue } from './signature-values.ts';
import { type Signable, type SignedText, signedTexts } from './signed-texts.ts';

/** A computation that gives exactly the value that was sent. */
export type SignatureFit = {
  readonly algorithm: string;
  readonly key: string;
  /** Position among the secrets, from 1. */
  readonly secret: number;
  readonly over: string;
  readonly encoding: string;
};

export type SignatureQuestion = Omit<Signable, 'times'> & {
  /** The whole value of the header. */
  readonly value: string;
  readonly secrets: readonly string[];
};

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

/** Bytes that one search may hash: a body of 1 MiB is not tried with every computation. */
const hashedBytesMax = 256 * 1_048_576;

/** The computation that fits, of all in common use; the most ordinary one first. `null` where none does. */
export function signatureFit({ value, secrets, ...parts }: SignatureQuestion): SignatureFit | null {
  const { signatures, times } = signatureValue(value);
  const goals = signatures.flatMap(goalsOf);
  const asTheyAre = secrets.map((secret, at) => ({
    key: keyAsItIs,
    bytes: Buffer.from(secret, 'utf8'),
    secret: at + 1,
  }));
  const usual = algorithms.slice(0, 1);
  const exact = [{ what: convention.over, bytes: parts.bytes }];
  const search = (among: Omit<Computations, 'goals'>) => fitAmong({ goals, ...among }, hashedBytesMax);
  const first = search({ keyed: asTheyAre, computed: usual, texts: exact });
  if (first !== null) return first;
  const keyed = secrets.flatMap((secret, at) => keysOf(secret).map((key) => ({ ...key, secret: at + 1 })));
  const itself = keyed.find(({ bytes }) => signatures.includes(Buffer.from(bytes).toString('utf8')));
  if (itself !== undefined) {
    const { key, secret } = itself;
    return { algorithm: 'no computation', key, secret, over: 'nothing', encoding: 'the secret itself' };
  }
  const texts = signedTexts({ ...parts, times });
  // Whoever signs otherwise departs from the convention in one thing, or in two: in all three nobody is known to.
  return (
    search({ keyed: asTheyAre, computed: usual, texts }) ??
    search({ keyed, computed: algorithms, texts: exact }) ??
    search({ keyed, computed: usual, texts }) ??
    search({ keyed: asTheyAre, computed: algorithms, texts })
  );
}

type Computations = {
  readonly goals: readonly Goal[];
  readonly keyed: readonly (Key & { readonly secret: number })[];
  readonly computed: readonly Algorithm[];
  readonly texts: readonly SignedText[];
};

/** The first of these computations that fits; `null` where none does, or once so many bytes are hashed. */
export function fitAmong(
  { goals, keyed, computed, texts }: Computations,
  hashedMax: number,
): SignatureFit | null {
  let leftBytes = hashedMax;
  for (const { what: over, bytes } of texts) {
    for (const { key, bytes: keyBytes, secret } of keyed) {
      for (const { algorithm, digest } of computed) {
        const found = writtenDigest(digest(keyBytes, bytes));
        const encoding = goals.find((goal) => goal.fits(found))?.encoding;
        if (encoding !== undefined) return { algorithm, key, secret, over, encoding };
      }
    }
    leftBytes -= bytes.length * keyed.length * computed.length;
    if (leftBytes < 0) return null;
  }
  return null;
}

/** What a signature looks like that no computation gives, and what that makes likely. */
export function likelyCause(signature: string): string {
  const length = signature.length;
  if (/^[0-9a-f]+$/i.test(signature)) {
    if (length === 64) return 'it has the form of SHA-256 in hex, so another secret is likely';
    if (length === 96) return 'it has the form of SHA-384 in hex, with another secret or text';
    if (length === 40) return 'it has the form of SHA-1 in hex, with another secret or text';
    if (length === 128) return 'it has the form of SHA-512 in hex, with another secret or text';
    return `${length === 1 ? 'one digit of hex is' : `${length} digits of hex are`} not a digest of SHA-256, which has 64: was it cut off, or something added?`;
  }
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(signature))
    return 'it has the form of SHA-256 in base64, so another secret is likely';
  return `${length === 1 ? 'one character' : `${length} characters`} of an unknown form`;
}
