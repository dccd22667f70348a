import type { Exchange } from '../exchange.ts';
import { firstOfList, saidByDictionary, saidByFields } from '../ietf-fields.ts';
import { type Headers, listedIn, styleOf } from './headers.ts';

type Read = (raw: Exchange['headers']) => Exchange['headers'];

/**
 * What reads the three fields of answers as plain numbers, by the style of a document; what is no such field stays as it
 * was sent, so that it is taken for no number.
 */
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
      return readDictionary;
    default:
      return style satisfies never;
  }
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
