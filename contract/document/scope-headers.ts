import type { Exchange } from '../exchange.ts';
import { type RateLimitHeader, rateLimitHeaderNames } from '../rate-limit-headers.ts';
import type { ResetUnit } from '../reset-units.ts';
import type { Scope } from '../scopes.ts';
import {
  type Headers,
  isAnyPromisedOn,
  isPromisedOn,
  type PromisedHeaders,
  promisedHeaders,
  styleOf,
} from './headers.ts';

/** What is said of headers in one place: for all scopes, or for one. */
type SaidHeaders = { readonly headers: Headers };

/** The same, and the scopes of which it is said. */
type SharedHeaders = SaidHeaders & { readonly of: readonly Scope[] };

/** What a document says of headers: for all scopes, and for those that have others. */
export type ScopedHeaders = SaidHeaders & {
  readonly scopes: Readonly<Record<Scope, { readonly headers?: Headers | undefined }>>;
};

/** What is said of the headers of a scope's answers; of no scope of the document, what is said of all. */
export function headersIn({ headers, scopes }: ScopedHeaders, scope: Scope): SaidHeaders {
  return { headers: scopes[scope]?.headers ?? headers };
}

/** Whether scopes differ in what is said of their headers. */
export function haveOwnHeaders(document: ScopedHeaders): boolean {
  return allHeadersOf(document).length > 1;
}

/** All that is said of headers of any scope, each once, in the order of the scopes. */
export function allHeadersOf(document: ScopedHeaders): readonly SharedHeaders[] {
  const kinds = new Map<string, SaidHeaders & { readonly of: Scope[] }>();
  for (const scope of Object.keys(document.scopes)) {
    const { headers } = headersIn(document, scope);
    const text = JSON.stringify(headers);
    const kind = kinds.get(text) ?? { headers, of: [] };
    kind.of.push(scope);
    kinds.set(text, kind);
  }
  return kinds.size === 0 ? [{ headers: document.headers, of: [] }] : [...kinds.values()];
}

/** What is promised of the headers of an answer, by the scope in which its request is counted. */
export type HeadersOf = (counted: { readonly scope: Scope }) => PromisedHeaders;

/** The promises of all scopes: the same object each time. */
export function headersByScope(document: ScopedHeaders): HeadersOf {
  const usual = promisedHeaders(document);
  const [only, another] = allHeadersOf(document);
  // Of a long trace it is asked about each answer, whose scope takes time to read.
  if (only !== undefined && another === undefined) {
    const promised = promisedHeaders(only);
    return () => promised;
  }
  const own = new Map(
    Object.keys(document.scopes).map((scope) => [scope, promisedHeaders(headersIn(document, scope))]),
  );
  return ({ scope }) => own.get(scope) ?? usual;
}

/** What tells of an answer which headers it has, and which are promised on it. */
type Carrying = Pick<Exchange, 'headers' | 'outcome' | 'scope'>;

/** Whether an answer lacks any of the promised headers: it is asked of each, and takes a fraction of what telling them does. */
export function lacksAny(answer: Carrying, headersOf: HeadersOf): boolean {
  const { headers } = answer;
  const mayLack = headers.limit === null || headers.remaining === null || headers.reset === null;
  return mayLack && missingOn(answer, headersOf).length > 0;
}

/** The promised headers that an answer lacks, by their names. */
export function missingOn(answer: Carrying, headersOf: HeadersOf): readonly string[] {
  const promised = headersOf(answer);
  return headerFields.flatMap((field) =>
    answer.headers[field] === null && isPromisedOn(field, answer.outcome, promised)
      ? (promised.names[field] ?? [])
      : [],
  );
}

const headerFields = Object.keys(rateLimitHeaderNames) as readonly RateLimitHeader[];

/** What sentences call the headers of a document, and how its resets are written: one way in all scopes. */
export type WordedHeaders = {
  readonly names: PromisedHeaders['names'];
  readonly unit: ResetUnit;
};

/** Where scopes have headers of different names, a sentence has them all. */
export function wordedHeaders(document: ScopedHeaders): WordedHeaders {
  const promises = allHeadersOf(document).map(promisedHeaders);
  const [first, another] = promises;
  if (first !== undefined && another === undefined) return first;
  const named = (header: RateLimitHeader): string | null => {
    const names = [...new Set(promises.flatMap(({ names: { [header]: name } }) => name ?? []))];
    return names.length === 0 ? null : names.join(' or ');
  };
  return {
    names: { limit: named('limit'), remaining: named('remaining'), reset: named('reset') },
    unit: resetUnitOf(document),
  };
}

/** How the resets of a document are written; `epoch-seconds` where none is told. */
export function resetUnitOf(document: ScopedHeaders): ResetUnit {
  const telling = allHeadersOf(document).find(tellsReset);
  return telling === undefined ? 'epoch-seconds' : promisedHeaders(telling).unit;
}

/** Whether a document promises any header on each refusal, in every scope. */
export function arePromisedOnRefusals(document: ScopedHeaders): boolean {
  return allHeadersOf(document).every((said) => isAnyPromisedOn('limited', promisedHeaders(said)));
}

/** Scopes whose resets are written otherwise than those before them, with both units. */
export function otherUnits(
  document: ScopedHeaders,
): readonly { readonly scope: Scope; readonly unit: ResetUnit; readonly usual: ResetUnit }[] {
  const usual = resetUnitOf(document);
  return Object.keys(document.scopes).flatMap((scope) => {
    const said = headersIn(document, scope);
    const { unit } = promisedHeaders(said);
    return tellsReset(said) && unit !== usual ? [{ scope, unit, usual }] : [];
  });
}

/** RateLimit of the IETF's draft may say when it resets, though it need not. */
function tellsReset(said: SaidHeaders): boolean {
  return promisedHeaders(said).names.reset !== null || styleOf(said) === 'ietf';
}
