/** Whether a text can be an API key: only such a one comes through an HTTP header as it is (RFC 9110 §5.5). */
export function isApiKey(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text);
}

/** One way to spell a secret, and what is to stand in its place. */
export type Mask = { readonly spelling: string; readonly mask: string };

/** Masks for every spelling of a secret: as it is, as in JSON, as in a URL. An empty secret has none. */
export function masksFor(secret: string, maskOf: (spelling: string) => string): readonly Mask[] {
  if (secret === '') return [];
  const spellings = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return [...spellings].map((spelling) => ({ spelling, mask: maskOf(spelling) }));
}

/** A mask as long as what it hides, so that nothing moves across a later cut. */
export function stars(spelling: string): string {
  return '*'.repeat(spelling.length);
}

/** The text with every spelling masked, wherever it stands. */
export function masked(text: string, masks: readonly Mask[]): string {
  return masks.reduce((kept, { spelling, mask }) => kept.replaceAll(spelling, mask), text);
}
