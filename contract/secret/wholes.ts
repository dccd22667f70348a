import { placesIn, type Reading, readingsOf } from './coats.ts';
import { inSmallLetters, type Spelling, spellingsOf } from './spellings.ts';

/** A secret, and what stands in its place; `maskOf` gets the text that it stood in. */
export type Hidden = { readonly secret: string; readonly maskOf: (spelt: string) => string };

/** A mask as long as what it hides, so that nothing moves across a later cut. */
export function stars(spelt: string): string {
  return '*'.repeat(spelt.length);
}

/** A part of a secret that is shorter than this gives nothing of it away. */
export const partCharactersMin = 6;

/** One spelling of a secret that is looked for. */
export type Sought = Spelling &
  Pick<Hidden, 'maskOf'> & {
    /** Too short to be looked for in other letters, encodings or parts: it would be found in any text. */
    readonly isShort: boolean;
  };

/** The part of a text from `start` up to `end`, which gives a secret away. */
export type FoundPart = Pick<Hidden, 'maskOf'> & { readonly start: number; readonly end: number };

export function soughtFor({ secret, maskOf }: Hidden): readonly Sought[] {
  if (secret === '') return [];
  if (secret.length < partCharactersMin) {
    const texts = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
    return [...texts].map((text) => ({ text, before: 0, after: 0, maskOf, isShort: true }));
  }
  return spellingsOf(secret).map((spelling) => ({ ...spelling, maskOf, isShort: false }));
}

/** The text with every whole secret masked, in whatever reading of the text it is found. */
export function maskWholes(text: string, sought: readonly Sought[]): string {
  return replaced(
    text,
    readingsOf(text).flatMap((reading) => wholesIn(reading, sought)),
  );
}

/** Where whole secrets stand that are found in a reading of a text. */
export function wholesIn(reading: Reading, sought: readonly Sought[]): readonly FoundPart[] {
  const found: FoundPart[] = [];
  const { text } = reading;
  const small = inSmallLetters(text);
  for (const { text: spelt, before, after, maskOf, isShort } of sought) {
    const searched = isShort ? text : small;
    for (let at = searched.indexOf(spelt); at !== -1; at = searched.indexOf(spelt, at + 1)) {
      found.push({ start: at - before, end: at + spelt.length + after, maskOf });
    }
  }
  return placed(reading, found);
}

/** What was found in a reading, as parts of the whole text. */
export function placed(reading: Reading, found: readonly FoundPart[]): readonly FoundPart[] {
  if (found.length === 0) return [];
  const placeIn = placesIn(reading);
  const placeOf = (at: number): number => placeIn(Math.max(0, Math.min(reading.text.length, at)));
  return found.map(({ start, end, maskOf }) => ({ start: placeOf(start), end: placeOf(end), maskOf }));
}

/** Masks each part once; parts that overlap are one, and have the mask of the longest of those that begin first. */
export function replaced(text: string, found: readonly FoundPart[]): string {
  const ordered = [...found].sort((a, b) => a.start - b.start || b.end - a.end);
  let kept = '';
  let done = 0;
  let at = 0;
  while (at < ordered.length) {
    const { start, maskOf } = ordered[at] as FoundPart;
    let { end } = ordered[at] as FoundPart;
    for (at += 1; at < ordered.length && (ordered[at] as FoundPart).start < end; at += 1) {
      end = Math.max(end, (ordered[at] as FoundPart).end);
    }
    kept += text.slice(done, start) + maskOf(text.slice(start, end));
    done = end;
  }
  return kept + text.slice(done);
}
