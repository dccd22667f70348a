import { inconclusive, observed } from '../../contract/verdict.ts';
import { type Arrival, headerValues, type WebhookJudge } from './case.ts';
import { likelyCause, type SignatureFit, signatureFit } from './signature-fits.ts';

/** The search stops after this many signatures that no computation gives. */
const searchesMax = 20;

type Signed = { readonly arrival: Arrival; readonly signature: string };

/** `webhook.signature`: the document does not show the computation, so that nothing here is a violation. */
export const judgeSignature: WebhookJudge = ({ arrivals, secrets }) => {
  const signed = arrivals.flatMap(signedOf);
  const [first] = signed;
  if (first === undefined) return inconclusive('no signature arrived with a whole body');
  if (secrets.length === 0) {
    return observed(`not verified: no secret was given; ${likelyCause(first.signature).split(',')[0]}`);
  }
  const found = new Map<string, number>();
  const unknown: Signed[] = [];
  for (const one of signed) {
    if (unknown.length >= searchesMax) break;
    const fit = fitOf(one, secrets);
    if (fit === null) unknown.push(one);
    else found.set(fitText(fit, secrets), (found.get(fitText(fit, secrets)) ?? 0) + 1);
  }
  const fits = [...found].map(([text, count]) => `${text}: ${count} of ${signed.length}`);
  const misfits = unknown[0] === undefined ? [] : [misfitText(unknown[0], unknown.length)];
  return observed([...fits, ...misfits].join('; '));
};

function fitOf({ arrival, signature }: Signed, secrets: readonly string[]): SignatureFit | null {
  const { bytes, text, parsed, delivery } = arrival;
  return signatureFit({
    bytes,
    text,
    parsed,
    headers: delivery.headers,
    path: delivery.path,
    signature,
    secrets,
  });
}

function signedOf(arrival: Arrival): readonly Signed[] {
  const values = headerValues(arrival.delivery, 'X-Service-Signature');
  return values.map((value) => ({ arrival, signature: value.replace(/^[a-z0-9]+=/i, '') }));
}

function fitText(
  { algorithm, key, secret, over, encoding }: SignatureFit,
  secrets: readonly string[],
): string {
  const whose = secrets.length === 1 ? key : `${key} (secret ${secret})`;
  return `${algorithm} over ${over}, by ${whose}, as ${encoding}`;
}

function misfitText({ signature }: Signed, count: number): string {
  const many = count >= searchesMax ? `at least ${count}` : `${count}`;
  return `no computation in common use fits ${many}: ${likelyCause(signature)}`;
}
