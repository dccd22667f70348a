import type { Masker } from './masker.ts';

/** Masks a text that comes in pieces. */
export type MaskStream = {
  /** The next piece, as far as it can be let out: what may become a secret waits for the next one. */
  readonly write: (piece: string) => string;
  /** What waits where that is too little to tell a secret: a line that people wait at ends where it should. */
  readonly show: () => string;
  /** What still waits; nothing is written afterwards. */
  readonly end: () => string;
};

/** No spelling of a secret is longer; a text that could go on for ever must not wait for ever. */
const waitingCharactersMax = 65_536;

/** So many characters of a secret may be seen. */
const shownCharactersMax = 3;

export function maskStream({ mask, maskBeginning, unfinishedFrom }: Masker): MaskStream {
  let waiting = '';
  /** Its first characters that were let out all the same. */
  let shown = '';
  const without = (already: string, masked: string): string =>
    masked.startsWith(already) ? masked.slice(already.length) : masked;
  return {
    write: (piece) => {
      const text = waiting + piece;
      const cut = text.length > waitingCharactersMax ? text.length : unfinishedFrom(text);
      waiting = text.slice(cut);
      const already = shown.slice(0, cut);
      shown = shown.slice(cut);
      return without(already, maskBeginning(text.slice(0, cut)));
    },
    show: () => {
      if (waiting.length > shownCharactersMax) return '';
      const more = waiting.slice(shown.length);
      shown = waiting;
      return more;
    },
    end: () => without(shown, mask(waiting)),
  };
}
