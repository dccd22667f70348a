import { type Headers, styleOf } from '../contract/document/headers.ts';
import type { Exchange } from '../contract/exchange.ts';
import { plainExchange } from '../contract/exchange-store.ts';
import { firstOfList, saidByFields } from '../contract/ietf-fields.ts';
import type { Trace } from '../contract/trace.ts';

/**
 * A trace whose three header fields are plain numbers wherever the style of its document wraps them in structured fields;
 * what is no such field stays as it was sent, so that it is judged as no number.
 */
export function withToldHeaders(trace: Trace): Trace {
  const { document } = trace.header.deployment;
  if (readers[styleOf(document)] === null) return trace;
  const read = toldHeaders(document);
  return {
    ...trace,
    exchanges: trace.exchanges.map((exchange) => ({
      ...plainExchange(exchange),
      headers: read(exchange.headers),
    })),
  };
}

/** What reads the three fields of answers as plain numbers, by the style of a document. */
export function toldHeaders(document: { readonly headers: Headers }): Read {
  return readers[styleOf(document)] ?? ((raw) => raw);
}

type Read = (raw: Exchange['headers']) => Exchange['headers'];

const readers: Readonly<Record<ReturnType<typeof styleOf>, Read | null>> = {
  plain: null,
  'ietf-triple': (raw) => ({ ...raw, limit: raw.limit === null ? null : firstOfList(raw.limit) }),
  ietf: ({ limit, remaining }) => {
    const said = saidByFields(limit, remaining);
    return {
      limit: said.limit ?? limit,
      remaining: said.remaining ?? remaining,
      // Of what is optional, nothing is said where it is left out.
      reset: said.reset,
    };
  },
};
