import type { AskedSchema } from '../body-schema/json-schema.ts';
import { fitOf, placeText } from '../body-schema/misfit.ts';
import { askedSchemaOf } from '../body-schema/read-schema.ts';
import { sampleOf } from '../body-schema/sample.ts';
import { surelyAt } from '../body-schema/surely-at.ts';
import { greatestOf } from '../extremes.ts';
import { tokensOf, valueAt, withValueAt } from '../json-pointer.ts';
import { shown } from '../shown-json.ts';
import { waitRules, waitUnitOf } from '../wait-units.ts';
import { type Document, partsOf, scopesOf } from './document.ts';
import type { Refusal } from './refusal.ts';

/** A body that keeps what a document says of the bodies of refusals; or why none could be made. */
export type MadeBody =
  | { readonly kind: 'made'; readonly body: (waitSeconds: number) => unknown }
  | { readonly kind: 'none'; readonly why: string };

/** Alternatives of a schema that are tried, one after another. */
const alternativesMax = 8;

/**
 * The body of a refusal as a document promises it: its example, or else made of its values and its schema.
 * @param waitsSeconds waits of which it has to be able to name one.
 */
export function promisedBody(refusal: Refusal, waitsSeconds: readonly number[]): MadeBody {
  const { body: values = {}, bodySchema, bodyExample, retryAfterPointer } = refusal;
  const { write } = waitRules[waitUnitOf(refusal)];
  const withWait = (base: unknown) => (waitSeconds: number) =>
    retryAfterPointer === undefined ? base : withValueAt(retryAfterPointer, base, write(waitSeconds));
  const withValues = (base: unknown): unknown =>
    Object.entries(values).reduce((whole, [pointer, value]) => withValueAt(pointer, whole, value), base);
  if (bodySchema === undefined) {
    return { kind: 'made', body: withWait(bodyExample ?? withValues({})) };
  }
  const asked = askedSchemaOf(bodySchema);
  const wanted = [
    ...Object.keys(values),
    ...(retryAfterPointer === undefined ? [] : [retryAfterPointer]),
  ].map(tokensOf);
  const whys: string[] = [];
  for (let at = 0; at < (bodyExample === undefined ? alternativesMax : 1); at += 1) {
    const body = withWait(bodyExample ?? withValues(sampleOf(asked, wanted, at)));
    const misfits = waitsSeconds.map((wait) => misfitText(body(wait), asked));
    if (misfits.includes(null)) return { kind: 'made', body };
    whys.push(misfits[0] ?? '');
  }
  return { kind: 'none', why: whys[0] ?? '' };
}

/** What is said where the reference service has no body to send. */
export function unmadeText(why: string): string {
  return `no body that fits bodySchema could be made of it (${why}): name one in refusal.bodyExample, for the reference service to send`;
}

function misfitText(body: unknown, asked: AskedSchema): string | null {
  const fit = fitOf(body, asked);
  if (fit.kind === 'beyond') return 'it nests too deep';
  return fit.kind === 'fits' ? null : `${placeText(fit.place)} ${fit.words}`;
}

/** The shortest and the longest wait that a refusal of a document may name, s. */
export function waitsOf(document: Pick<Document, 'scopes' | 'windowSeconds'>): readonly number[] {
  const windows = scopesOf(document).flatMap((scope) =>
    partsOf(document, scope).map(({ seconds }) => seconds),
  );
  return [1, Math.ceil(greatestOf(windows))];
}

type Flaw = { readonly path: readonly string[]; readonly message: string };

/** What two sentences of a document about the bodies of refusals cannot both mean. */
export function flawsOfBodies(document: Document): readonly Flaw[] {
  const { refusal } = document;
  if (refusal === undefined) return [];
  return [...flawsOfValues(refusal, waitsOf(document)), ...flawsOfExample(refusal)];
}

/** Values, and waits, that the schema does not take where they stand. */
function flawsOfValues(refusal: Refusal, waitsSeconds: readonly number[]): readonly Flaw[] {
  const { body = {}, bodySchema, retryAfterPointer } = refusal;
  if (bodySchema === undefined) return [];
  const asked = askedSchemaOf(bodySchema);
  const misfitAt = (pointer: string, value: unknown): string | null => {
    const fits = surelyAt(asked, pointer).map((schema) => fitOf(value, { ...asked, schema }));
    const misfit = fits.find(({ kind }) => kind === 'misfit');
    return misfit?.kind === 'misfit' ? `${placeText(`${pointer}${misfit.place}`)} ${misfit.words}` : null;
  };
  const values = Object.entries(body).flatMap(([pointer, value]) => {
    const why = misfitAt(pointer, value);
    const message = `contradicts bodySchema, by which ${why}`;
    return why === null ? [] : [{ path: ['refusal', 'body', pointer], message }];
  });
  if (retryAfterPointer === undefined) return values;
  const { write, words } = waitRules[waitUnitOf(refusal)];
  const whys = waitsSeconds.map((wait) => misfitAt(retryAfterPointer, write(wait)));
  const message = `is ${words}, and contradicts bodySchema, by which ${whys[0]}`;
  return whys.includes(null) ? values : [...values, { path: ['refusal', 'retryAfterPointer'], message }];
}

/** An example that is none. */
function flawsOfExample(refusal: Refusal): readonly Flaw[] {
  const { body = {}, bodyExample, retryAfterPointer } = refusal;
  if (bodyExample === undefined) return [];
  const flaws = Object.entries(body)
    .filter(([pointer, value]) => valueAt(pointer, bodyExample) !== value)
    .map(([pointer, value]) => {
      const there = shown(valueAt(pointer, bodyExample));
      return `is no such body: ${placeText(pointer)} is ${there}, and body promises ${shown(value)}`;
    });
  const { read, usable } = waitRules[waitUnitOf(refusal)];
  const wait = retryAfterPointer === undefined ? undefined : valueAt(retryAfterPointer, bodyExample);
  const waitSeconds = retryAfterPointer === undefined ? 1 : (read(wait) ?? 0);
  if (waitSeconds <= 0) flaws.push(`is no such body: ${retryAfterPointer} is ${shown(wait)}, no ${usable}`);
  const made = flaws.length > 0 ? null : promisedBody(refusal, [waitSeconds]);
  if (made?.kind === 'none') flaws.push(`does not fit bodySchema: ${made.why}`);
  return flaws.map((message) => ({ path: ['refusal', 'bodyExample'], message }));
}
