import { placesIn, type Reading } from './coats.ts';
import { type Hidden, mayHold, readingsToSearch, type Search } from './search.ts';
import { inSmallLetters } from './spellings.ts';

/** A mask as long as what it hides, so that nothing moves across a later cut. */
export function stars(spelt: string): string {
  return '*'.repeat(spelt.length);
}

/** The part of a text from `start` up to `end`, which gives a secret away. */
export type FoundPart = Pick<Hidden, 'maskOf'> & { readonly start: number; readonly end: number };

/** The text with every whole secret masked, in whatever reading of the text it is found. */
export function maskWholes(text: string, search: Search): string {
  return replaced(
    text,
    readingsToSearch(text, search).flatMap((reading) => wholesIn(reading, search)),
  );
}

/** Where whole secrets stand that are found in a reading of a text. */
export function wholesIn(reading: Reading, search: Search): readonly FoundPart[] {
  const { text } = reading;
  const small = inSmallLetters(text);
  if (!mayHold(small, search)) return [];
  const found: FoundPart[] = [];
  for (const { text: spelt, before, after, maskOf, isShort } of search.sought) {
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
