import { greatestOf, leastOf } from '../extremes.ts';
import { brokenEscapeAt, brokenLineAt, mayBeEscaped, placesIn, type Reading, readingsOf } from './coats.ts';
import {
  type Hidden,
  mayHold,
  partCharactersMin,
  readingsToSearch,
  type Search,
  type Sought,
  searchFor,
} from './search.ts';
import { inSmallLetters } from './spellings.ts';
import { type FoundPart, maskWholes, placed, replaced, wholesIn } from './wholes.ts';

export type Masker = {
  /** The text with every secret masked, also the beginning of one at its end, as a bounded body may have it. */
  readonly mask: (text: string) => string;
  /** The same for the beginning of a text that goes on: what it ends with stays. */
  readonly maskBeginning: (text: string) => string;
  /** Where a secret may begin that goes on after the end of the text; the text's length where none can. */
  readonly unfinishedFrom: (text: string) => number;
};

/**
 * Masks secrets however they are spelt: as they are or in other letters, escaped as in JSON, URLs and HTML, several times
 * over, or as base64, hexadecimal or decimal bytes, with anything around them.
 */
export function maskerOf(hidden: readonly Hidden[]): Masker {
  const search = searchFor(hidden);
  const { sought } = search;
  // Most texts are done with here.
  const isClean = (text: string): boolean => !mayBeEscaped(text) && !mayHold(inSmallLetters(text), search);
  return {
    mask: (text) => {
      if (isClean(text)) return text;
      const found = readingsWithEnd(text, search).map((reading) => [
        wholesIn(reading, search),
        partsAtEnd(reading, sought, partCharactersMin),
      ]);
      return replaced(text, found.flat(2));
    },
    maskBeginning: (text) => maskWholes(text, search),
    unfinishedFrom: (text) => {
      const readings = readingsWithEnd(text, search);
      const starts = readings
        .filter((reading) => isEnd(reading, text))
        .flatMap((reading) => [
          placesIn(reading)(brokenEscapeAt(reading.text)),
          ...partsAtEnd(reading, sought, 1).map(({ start }) => start),
        ]);
      // Not within a secret that is there already.
      return readings
        .flatMap((reading) => wholesIn(reading, search))
        .sort((a, b) => b.start - a.start)
        .reduce(
          (from, { start, end }) => (from < end ? Math.min(start, from) : from),
          Math.min(endBeforeBits(text), leastOf(starts)),
        );
    },
  };
}

/** Those in which secrets are looked for, and those of what stands behind the last edge, where a secret may begin. */
function readingsWithEnd(text: string, search: Search): readonly Reading[] {
  const from = greatestOf([0, ...[...search.edges].map((edge) => text.lastIndexOf(edge) + 1)]);
  return [...readingsToSearch(text, search), ...readingsOf(text.slice(from), from).slice(1)];
}

/** Whether a reading is one of the end of a text. */
function isEnd({ from, whole }: Reading, text: string): boolean {
  return from + whole.length === text.length;
}

/** Where a text ends without a digit of base64, which may hold the first bits of a secret. */
function endBeforeBits(text: string): number {
  return /[\w+/-]$/.test(text) ? text.length - 1 : text.length;
}

/** For each secret its longest beginning that the text ends with, and an escape that is cut off after it. */
function partsAtEnd(
  reading: Reading,
  sought: readonly Sought[],
  charactersMin: number,
): readonly FoundPart[] {
  const found: FoundPart[] = [];
  const { text } = reading;
  const small = inSmallLetters(text);
  for (const to of new Set([small.length, brokenEscapeAt(small), brokenLineAt(small)])) {
    const ending = small.slice(0, to);
    for (const { text: spelt, before, maskOf } of sought) {
      const length = partLength(ending, spelt, charactersMin);
      if (length > 0) found.push({ start: to - length - before, end: text.length, maskOf });
    }
  }
  return placed(reading, found);
}

/** How much of a secret a text ends with; 0 where that is less than `charactersMin`, which is at least 1. */
function partLength(text: string, secret: string, charactersMin: number): number {
  const last = text.charAt(text.length - 1);
  let length = Math.min(text.length, secret.length - 1);
  while (length >= charactersMin) {
    // The next shorter beginning that ends with the same character.
    length = secret.lastIndexOf(last, length - 1) + 1;
    if (length >= charactersMin && text.endsWith(secret.slice(0, length))) return length;
    length -= 1;
  }
  return 0;
}
