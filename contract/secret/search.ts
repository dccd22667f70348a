import { coatsOf, type Reading, readingsOf } from './coats.ts';
import { escapedPartsOf, type Room, roomFor } from './escaped-parts.ts';
import { inSmallLetters, type Spelling, spellingsOf } from './spellings.ts';

/** A secret, and what stands in its place; `maskOf` gets the text that it stood in. */
export type Hidden = { readonly secret: string; readonly maskOf: (spelt: string) => string };

/** A part of a secret that is shorter than this gives nothing of it away. */
export const partCharactersMin = 6;

/** One spelling of a secret that is looked for. */
export type Sought = Spelling &
  Pick<Hidden, 'maskOf'> & {
    /** Too short to be looked for in other letters, encodings or parts: it would be found in any text. */
    readonly isShort: boolean;
  };

/** What is looked for in texts, and in which parts of them. */
export type Search = Room & {
  readonly sought: readonly Sought[];
  /** Every whole spelling, and every part of one that gives it away, begins with one of these, in small letters. */
  readonly beginnings: readonly string[];
};

/** What is looked for of these secrets; of an empty one nothing. */
export function searchFor(hidden: readonly Hidden[]): Search {
  const sought = hidden.flatMap(soughtFor);
  const texts = sought.map(({ text }) => text);
  const beginnings = texts.map((text) => inSmallLetters(text).slice(0, partCharactersMin));
  return { ...roomFor(texts), sought, beginnings: [...new Set(beginnings)] };
}

function soughtFor({ secret, maskOf }: Hidden): readonly Sought[] {
  if (secret === '') return [];
  if (secret.length < partCharactersMin) {
    const texts = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
    return [...texts].map((text) => ({ text, before: 0, after: 0, maskOf, isShort: true }));
  }
  return spellingsOf(secret).map((spelling) => ({ ...spelling, maskOf, isShort: false }));
}

/** Whether a text in small letters may hold a spelling, or a part of one that gives it away. */
export function mayHold(small: string, { beginnings }: Search): boolean {
  return beginnings.some((beginning) => small.includes(beginning));
}

/** The text as it stands, and every other reading of those of its parts that have room for a secret. */
export function readingsToSearch(text: string, search: Search): readonly Reading[] {
  const readings: Reading[] = [{ text, whole: text, from: 0, resolved: [] }];
  const parts = escapedPartsOf(text, search);
  if (parts.length === 0) return readings;
  const coats = coatsOf();
  parts.forEach(({ text: part, from }) => {
    readings.push(...readingsOf(part, from, coats).slice(1));
  });
  return readings;
}
