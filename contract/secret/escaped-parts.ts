import { mayBeEscaped } from './coats.ts';

/** A part of a text that holds an escape, and where it begins. */
export type EscapedPart = { readonly from: number; readonly text: string };

/** Characters that stay what they are in every reading of a text, and that no escape goes across. */
const edgeCharacters = '"<>\'()=';

/** Where a secret may be: between two `edges`, in a piece `withRoom` for it, and never across one. */
export type Room = { readonly edges: string; readonly withRoom: RegExp };

/** Beyond this, more room is asked for no longer: Go refuses expressions that count far. */
const countedMax = 100;

/** The room that any of these texts needs: its edges are in none of them. */
export function roomFor(texts: readonly string[]): Room {
  const edges = [...edgeCharacters].filter((edge) => !texts.some((text) => text.includes(edge))).join('');
  const least = texts.reduce((fewest, { length }) => Math.min(fewest, length), countedMax);
  const piece = edges === '' ? '[\\s\\S]' : `(?:^|[${edges}])[^${edges}]`;
  return { edges, withRoom: new RegExp(`${piece}{${least},}`, 'g') };
}

/**
 * The parts of a text that may read otherwise than they stand there and have room. A page of HTML has an escape in each line: in
 * parts, it is read many times as fast as whole, in each way.
 */
export function escapedPartsOf(text: string, { withRoom }: Room): readonly EscapedPart[] {
  const parts: EscapedPart[] = [];
  let end = -1;
  // A loop over an iterator costs each client of k6 memory.
  text.match(withRoom)?.forEach((piece) => {
    if (!mayBeEscaped(piece)) return;
    const from = text.indexOf(piece, end);
    end = from + piece.length;
    // With the edge behind it: what stands before that may escape it, or be a number that ends there.
    parts.push({ from, text: text.slice(from, end + 1) });
  });
  return parts;
}
