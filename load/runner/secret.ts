/**
 * Masks a key in a text, as it is and as JSON or a URL would spell it. The mask is as long as what it hides, so that
 * nothing moves across a later cut.
 */
export function withoutSecret(text: string, secret: string): string {
  if (secret === '') return text;
  const spellings = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return [...spellings].reduce(
    (cleaned, spelling) => cleaned.replaceAll(spelling, '*'.repeat(spelling.length)),
    text,
  );
}

/** Whether a key can stand in an HTTP header (RFC 9110 §5.5: visible ASCII, no white space here). */
export function isHeaderSafe(secret: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(secret);
}
