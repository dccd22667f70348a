import { leastOf } from '../extremes.ts';
import { brokenEscapeAt, brokenLineAt, mayBeEscaped, placesIn, type Reading, readingsOf } from './coats.ts';
import { inSmallLetters } from './spellings.ts';
import {
  type FoundPart,
  type Hidden,
  maskWholes,
  partCharactersMin,
  placed,
  replaced,
  type Sought,
  soughtFor,
  wholesIn,
} from './wholes.ts';

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
  const sought = hidden.flatMap(soughtFor);
  const hasShort = sought.some(({ isShort }) => isShort);
  // Every whole and every part at an end begins with one of these: most texts hold none, and are done with then.
  const beginnings = [...new Set(sought.map(({ text }) => text.slice(0, partCharactersMin)))];
  const isClean = (text: string): boolean => {
    if (hasShort || mayBeEscaped(text)) return false;
    const small = inSmallLetters(text);
    return !beginnings.some((beginning) => small.includes(beginning));
  };
  return {
    mask: (text) => {
      if (isClean(text)) return text;
      const found = readingsOf(text).map((reading) => [
        wholesIn(reading, sought),
        partsAtEnd(reading, sought, partCharactersMin),
      ]);
      return replaced(text, found.flat(2));
    },
    maskBeginning: (text) => maskWholes(text, sought),
    unfinishedFrom: (text) => {
      const readings = readingsOf(text);
      const starts = readings.flatMap((reading) => [
        placesIn(reading)(brokenEscapeAt(reading.text)),
        ...partsAtEnd(reading, sought, 1).map(({ start }) => start),
      ]);
      // Not within a secret that is there already.
      return readings
        .flatMap((reading) => wholesIn(reading, sought))
        .sort((a, b) => b.start - a.start)
        .reduce(
          (from, { start, end }) => (from < end ? Math.min(start, from) : from),
          Math.min(endBeforeBits(text), leastOf(starts)),
        );
    },
  };
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
