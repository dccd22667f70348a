import { jsonLevelsMax } from '../../contract/shown-json.ts';
import { inconclusive, observed } from '../../contract/verdict.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { arrivalOf } from './arrival.ts';
import { nothingToAdd, type WebhookJudge } from './case.ts';
import { likelyCause } from './signature-fits.ts';
import { fitOf, fitText, searchesMax, signedOf } from './signature-search.ts';
import { signatureValue } from './signature-values.ts';

/** `webhook.signature`: the document does not show the computation, so that nothing here is a violation. */
export const judgeSignature: WebhookJudge = ({ signatures, secrets }) => ({
  add: nothingToAdd,
  verdict() {
    const first = signatures.first();
    if (first === null) return inconclusive('no signature arrived with a whole body');
    if (secrets.length === 0) {
      return observed(`not verified: no secret was given; ${likelyCauseOf(first).split(',')[0]}`);
    }
    const unknown = signatures.unknown();
    const found = [...signatures.fits()].map(([text, count]) => `${text}: ${count} of ${signatures.total()}`);
    const misfits = unknown[0] === undefined ? [] : [misfitText(unknown[0].value, unknown.length)];
    const deep = unknown.filter(({ isDeep }) => isDeep).length;
    return observed([...found, ...misfits, ...(deep === 0 ? [] : [deepText(deep)])].join('; '));
  },
});

/** How the signature of one delivery is computed, or what it looks like; `null` where nothing can be said of it. */
export function signatureOfOne(
  delivery: Delivery,
  secrets: readonly string[],
): { readonly kind: 'fits' | 'fits-not'; readonly text: string } | null {
  const arrival = arrivalOf(delivery);
  const [signed] = arrival === null ? [] : signedOf(arrival);
  if (signed === undefined || secrets.length === 0) return null;
  const fit = fitOf(signed, secrets);
  return fit === null
    ? { kind: 'fits-not', text: misfitText(signed.value, 1) }
    : { kind: 'fits', text: fitText(fit, secrets) };
}

function likelyCauseOf(value: string): string {
  return likelyCause(signatureValue(value).signatures[0]);
}

function deepText(count: number): string {
  return `JSON written anew was not tried with ${count} that nest deeper than ${jsonLevelsMax} levels`;
}

function misfitText(value: string, count: number): string {
  const many = count >= searchesMax ? `at least ${count}` : `${count}`;
  return `no computation in common use fits ${many}: ${likelyCauseOf(value)}`;
}
