import type { KeyHeader } from './key-header.ts';

/** Whether a key is a user and a password, as `Basic` has them in base64 (RFC 7617). */
export function isBasic({ before }: KeyHeader): boolean {
  return before.toLowerCase() === 'basic ';
}

/** A key that nobody has, of the form that keys have there. */
export function unknownKeyIn(header: KeyHeader, text: string): string {
  return isBasic(header) ? btoa(`unknown:${text}`) : text;
}
