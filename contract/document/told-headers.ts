import type { Exchange } from '../exchange.ts';
import { firstOfList, saidByDictionary, saidByFields } from '../ietf-fields.ts';
import { parseHeaderInteger } from '../rate-limit-headers.ts';
import type { Limits } from '../scopes.ts';
import { type Headers, keysOf, listedIn, recordedNames, remainingFormOf, styleOf } from './headers.ts';
import { valueOfKey } from './keyed-values.ts';
import { allHeadersOf, headersIn, type ScopedHeaders } from './scope-headers.ts';

/**
 * @param limit that of the scope, by which what was used tells what is left where no header says the limit; left out: it is not
 * known.
 */
type Read = (raw: Exchange['headers'], limit?: number) => Exchange['headers'];

/** The same of whole exchanges of any scope: each is the one that was given where headers are plain numbers everywhere. */
export function toldExchanges(document: ScopedHeaders, limits: Limits): (exchange: Exchange) => Exchange {
  if (allHeadersOf(document).every((said) => styleOf(said) === 'plain')) return (exchange) => exchange;
  const read = toldByScope(document, limits);
  return (exchange) => ({ ...exchange, headers: read(exchange) });
}

/** The same of answers of any scope of a document. */
export function toldByScope(
  document: ScopedHeaders,
  limits: Limits,
): (answer: Pick<Exchange, 'headers' | 'scope'>) => Exchange['headers'] {
  const usual = toldHeaders(document);
  const own = new Map(
    Object.keys(document.scopes).map((scope) => [scope, toldHeaders(headersIn(document, scope))]),
  );
  return ({ headers, scope }) => (own.get(scope) ?? usual)(headers, limits[scope]);
}

/**
 * What reads the three fields of answers as plain numbers, by the style of a document; what is no such field stays as it
 * was sent, so that it is taken for no number.
 */
export function toldHeaders(document: { readonly headers: Headers }): Read {
  const style = styleOf(document);
  switch (style) {
    case 'plain':
    case 'listed':
    case 'used':
      return readNumbers(document);
    case 'keyed':
      return readKeyed(document);
    case 'ietf':
      return readFields;
    case 'ietf-draft-7':
      return readDictionary;
    default:
      return style satisfies never;
  }
}

function readNumbers(document: { readonly headers: Headers }): Read {
  switch (remainingFormOf(document)) {
    case 'used':
      return readUsed(document);
    case 'used-of-limit':
      return readRatio;
    default:
      return readListed(listedIn(document));
  }
}

/** The values of keys, where one header says several things; a header without the key says nothing. */
function readKeyed(document: { readonly headers: Headers }): Read {
  const keys = keysOf(document);
  const read = readNumbers(document);
  const value = (header: keyof typeof keys, raw: string | null): string | null => {
    const key = keys[header];
    return raw === null || key === null ? raw : valueOfKey(raw, key);
  };
  return (raw, limit) =>
    read(
      {
        limit: value('limit', raw.limit),
        remaining: value('remaining', raw.remaining),
        reset: value('reset', raw.reset),
      },
      limit,
    );
}

function readListed(listed: ReturnType<typeof listedIn>): Read {
  return (raw) => {
    const first = listed.map((header) => {
      const text = raw[header];
      return [header, text === null ? null : firstOfList(text)] as const;
    });
    return { ...raw, ...Object.fromEntries(first) };
  };
}

/** How many were used, beside the header of the limit where the document has one. */
function readUsed(document: { readonly headers: Headers }): Read {
  const readLimit = readListed(listedIn(document));
  const hasLimit = recordedNames(document).limit !== null;
  return (raw, limit) => {
    const told = readLimit(raw);
    const used = raw.remaining === null ? null : firstOfList(raw.remaining);
    const most = hasLimit ? told.limit : (limit?.toString() ?? null);
    return { ...told, remaining: used === null ? null : leftOf(most, used) };
  };
}

/** How many were used, and of how many, in one text as `32/40`, or `32/40, 800/4000`. */
const readRatio: Read = ({ remaining: text, reset }) => {
  if (text === null) return { limit: null, remaining: null, reset };
  const [, used, limit] = /^\s*(\d+)\s*\/\s*(\d+)\s*(?:[,;(].*)?$/.exec(text) ?? [];
  if (used === undefined || limit === undefined) {
    const flawed = `${text}, not as 32/40`;
    return { limit: flawed, remaining: flawed, reset };
  }
  return { limit, remaining: leftOf(limit, used), reset };
};

/** The limit without what was used, and nothing where more was; no number where one of the two is none. */
function leftOf(limit: string | null, used: string): string {
  const most = limit === null ? null : parseHeaderInteger(limit);
  const taken = parseHeaderInteger(used);
  return most === null || taken === null
    ? `${limit ?? 'no limit'} less ${used}`
    : String(Math.max(0, most - taken));
}

const readFields: Read = ({ limit, remaining }) => {
  const said = saidByFields(limit, remaining);
  return {
    limit: said.limit ?? limit,
    remaining: said.remaining ?? remaining,
    // Of what is optional, nothing is said where it is left out.
    reset: said.reset,
  };
};

/** One field has all three. */
const readDictionary: Read = ({ limit: raw }) => {
  const said = raw === null ? null : saidByDictionary(raw);
  return said ?? { limit: raw, remaining: raw, reset: raw };
};
