import { type Headers, listedIn, styleOf } from '../contract/document/headers.ts';
import type { Exchange } from '../contract/exchange.ts';
import { plainExchange } from '../contract/exchange-store.ts';
import { firstOfList, saidByDictionary, saidByFields } from '../contract/ietf-fields.ts';
import type { Trace } from '../contract/trace.ts';

/**
 * A trace whose three header fields are plain numbers wherever the style of its document wraps them in structured fields;
 * what is no such field stays as it was sent, so that it is judged as no number.
 */
export function withToldHeaders(trace: Trace): Trace {
  const { document } = trace.header.deployment;
  if (styleOf(document) === 'plain') return trace;
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
  const style = styleOf(document);
  switch (style) {
    case 'plain':
      return (raw) => raw;
    case 'listed':
      return readListed(listedIn(document));
    case 'ietf':
      return readFields;
    case 'ietf-draft-7':
      return ({ limit: raw }) => {
        const said = raw === null ? null : saidByDictionary(raw);
        return said ?? { limit: raw, remaining: raw, reset: raw };
      };
    default:
      return style satisfies never;
  }
}

type Read = (raw: Exchange['headers']) => Exchange['headers'];

function readListed(listed: ReturnType<typeof listedIn>): Read {
  return (raw) => {
    const first = listed.map((header) => {
      const text = raw[header];
      return [header, text === null ? null : firstOfList(text)] as const;
    });
    return { ...raw, ...Object.fromEntries(first) };
  };
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
