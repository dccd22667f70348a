import { inconclusive, observed } from '../../contract/verdict.ts';
import type { SignatureCounts } from '../../contract/webhooks/judged.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { jsonLevelsMax } from '../evidence.ts';
import { type Arrival, arrivalOf, headerValues } from './arrival.ts';
import type { WebhookCase, WebhookJudge } from './case.ts';
import { likelyCause, type SignatureFit, signatureFit } from './signature-fits.ts';
import { signatureValue } from './signature-values.ts';
import { isDeep } from './signed-texts.ts';

/** The search stops after this many signatures that no computation gives. */
const searchesMax = 20;

type Signed = { readonly arrival: Arrival; readonly value: string };

/** What the secrets say of all signatures that arrived with a whole body. */
type Signatures = {
  readonly signed: readonly Signed[];
  /** How many have each computation, the first one found first. */
  readonly fits: ReadonlyMap<string, number>;
  /** Arrivals with one of these. */
  readonly fitting: ReadonlySet<Arrival>;
  /** Signatures that no computation gives; the search ends after `searchesMax` of them. */
  readonly unknown: readonly Signed[];
};

/** `webhook.signature`: the document does not show the computation, so that nothing here is a violation. */
export const judgeSignature: WebhookJudge = (subject) => {
  const [first] = subject.arrivals.flatMap(signedOf);
  if (first === undefined) return inconclusive('no signature arrived with a whole body');
  if (subject.secrets.length === 0) {
    return observed(`not verified: no secret was given; ${likelyCauseOf(first.value).split(',')[0]}`);
  }
  const { signed, fits, unknown } = signaturesIn(subject);
  const found = [...fits].map(([text, count]) => `${text}: ${count} of ${signed.length}`);
  const misfits = unknown[0] === undefined ? [] : [misfitText(unknown[0], unknown.length)];
  const deep = unknown.filter(({ arrival }) => isDeep(arrival.parsed)).length;
  return observed([...found, ...misfits, ...(deep === 0 ? [] : [deepText(deep)])].join('; '));
};

/** `null` where no secret was given: then nothing is verified. */
export function signatureCounts(subject: WebhookCase): SignatureCounts | null {
  if (subject.secrets.length === 0) return null;
  return { whole: subject.arrivals.length, fitting: signaturesIn(subject).fitting.size };
}

const known = new WeakMap<WebhookCase, Signatures>();

/** Looked for once: two readers want it, and a search tries hundreds of computations. */
function signaturesIn(subject: WebhookCase): Signatures {
  const before = known.get(subject);
  if (before !== undefined) return before;
  const { arrivals, secrets } = subject;
  const signed = arrivals.flatMap(signedOf);
  const fits = new Map<string, number>();
  const fitting = new Set<Arrival>();
  const unknown: Signed[] = [];
  for (const one of signed) {
    if (unknown.length >= searchesMax) break;
    const fit = fitOf(one, secrets);
    if (fit === null) {
      unknown.push(one);
      continue;
    }
    fitting.add(one.arrival);
    const text = fitText(fit, secrets);
    fits.set(text, (fits.get(text) ?? 0) + 1);
  }
  const found = { signed, fits, fitting, unknown };
  known.set(subject, found);
  return found;
}

function fitOf({ arrival, value }: Signed, secrets: readonly string[]): SignatureFit | null {
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
    ? { kind: 'fits-not', text: misfitText(signed, 1) }
    : { kind: 'fits', text: fitText(fit, secrets) };
}

function signedOf(arrival: Arrival): readonly Signed[] {
  const values = headerValues(arrival.delivery, 'X-Service-Signature');
  return values.map((value) => ({ arrival, value }));
}

function fitText(
  { algorithm, key, secret, over, encoding }: SignatureFit,
  secrets: readonly string[],
): string {
  const whose = secrets.length === 1 ? key : `${key} (secret ${secret})`;
  return `${algorithm} over ${over}, by ${whose}, as ${encoding}`;
}

function likelyCauseOf(value: string): string {
  return likelyCause(signatureValue(value).signatures[0]);
}

function deepText(count: number): string {
  return `JSON written anew was not tried with ${count} that nest deeper than ${jsonLevelsMax} levels`;
}

function misfitText({ value }: Signed, count: number): string {
  const many = count >= searchesMax ? `at least ${count}` : `${count}`;
  return `no computation in common use fits ${many}: ${likelyCauseOf(value)}`;
}
