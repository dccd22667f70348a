import type { SignatureCounts } from '../../contract/webhooks/judged.ts';
import { type Arrival, headerValues } from './arrival.ts';
import { type SignatureFit, signatureFit } from './signature-fits.ts';
import { isDeep } from './signed-texts.ts';

/** The search stops after this many signatures that no computation gives. */
export const searchesMax = 20;

/** One value of the signature's header. */
export type SignatureValue = { readonly arrival: Arrival; readonly value: string };

/** What the secrets say of all signatures that arrived with a whole body. */
export type SignatureSearch = {
  readonly add: (arrival: Arrival) => void;
  /** The first of them; `null` where none arrived. */
  readonly first: () => string | null;
  /** How many arrived. */
  readonly total: () => number;
  /** How many have each computation, the first one found first. */
  readonly fits: () => ReadonlyMap<string, number>;
  /** Signatures that no computation gives; the search ends after `searchesMax` of them. */
  readonly unknown: () => readonly { readonly value: string; readonly isDeep: boolean }[];
  /** `null` where no secret was given: then nothing is verified. */
  readonly counts: () => SignatureCounts | null;
};

export function searchSignatures(secrets: readonly string[]): SignatureSearch {
  const fits = new Map<string, number>();
  const unknown: { readonly value: string; readonly isDeep: boolean }[] = [];
  let first: string | null = null;
  let [whole, total, fitting] = [0, 0, 0];
  /** The computation of one value in words; `null` where none gives it. */
  const found = (signed: SignatureValue): string | null => {
    const fit = fitOf(signed, secrets);
    if (fit === null) {
      unknown.push({ value: signed.value, isDeep: isDeep(signed.arrival.parsed) });
      return null;
    }
    const text = fitText(fit, secrets);
    fits.set(text, (fits.get(text) ?? 0) + 1);
    return text;
  };
  return {
    add(arrival) {
      whole += 1;
      let isFitting = false;
      for (const signed of signedOf(arrival)) {
        first ??= signed.value;
        total += 1;
        if (secrets.length === 0 || unknown.length >= searchesMax) continue;
        if (found(signed) !== null) isFitting = true;
      }
      if (isFitting) fitting += 1;
    },
    first: () => first,
    total: () => total,
    fits: () => fits,
    unknown: () => unknown,
    counts: () => (secrets.length === 0 ? null : { whole, fitting }),
  };
}

export function fitOf({ arrival, value }: SignatureValue, secrets: readonly string[]): SignatureFit | null {
  const { bytes, text, parsed, delivery } = arrival;
  return signatureFit({
    bytes,
    text,
    parsed,
    headers: delivery.headers,
    method: delivery.method,
    path: delivery.path,
    value,
    secrets,
  });
}

export function signedOf(arrival: Arrival): readonly SignatureValue[] {
  const values = headerValues(arrival.delivery, 'X-Service-Signature');
  return values.map((value) => ({ arrival, value }));
}

export function fitText(
  { algorithm, key, secret, over, encoding }: SignatureFit,
  secrets: readonly string[],
): string {
  const whose = secrets.length === 1 ? key : `${key} (secret ${secret})`;
  return `${algorithm} over ${over}, by ${whose}, as ${encoding}`;
}
