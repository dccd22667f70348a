import type { Masker } from './masker.ts';

/** Masks a text that comes in pieces. */
export type MaskStream = {
  /** The next piece, as far as it can be let out: what may become a secret waits for the next one. */
  readonly write: (piece: string) => string;
  /** What still waits; nothing is written afterwards. */
  readonly end: () => string;
};

/** No spelling of a secret is longer; a text that could go on for ever must not wait for ever. */
const waitingCharactersMax = 65_536;

export function maskStream({ mask, maskBeginning, unfinishedFrom }: Masker): MaskStream {
  let waiting = '';
  return {
    write: (piece) => {
      const text = waiting + piece;
      const cut = text.length > waitingCharactersMax ? text.length : unfinishedFrom(text);
      waiting = text.slice(cut);
      return maskBeginning(text.slice(0, cut));
    },
    end: () => mask(waiting),
  };
}
