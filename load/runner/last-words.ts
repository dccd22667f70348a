import { masked, masksFor, stars } from '../../contract/secret.ts';

const lastWordsMax = 5;
const wordsCharactersMax = 300;

/** The last lines that k6 wrote on standard error, without the keys. */
export type LastWords = { readonly hear: (line: string) => void; readonly said: () => string };

export function lastWords(secrets: readonly string[]): LastWords {
  const masks = secrets.flatMap((secret) => masksFor(secret, stars));
  const lines: string[] = [];
  return {
    hear(line) {
      const text = masked(line, masks).trim().slice(0, wordsCharactersMax);
      if (text !== '') lines.push(text);
      if (lines.length > lastWordsMax) lines.shift();
    },
    said: () => (lines.length === 0 ? '' : `; its last words: ${lines.join(' / ')}`),
  };
}
