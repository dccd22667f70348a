import type { KeyPlace } from './key-place.ts';

/** Whether a key is a user and a password, as `Basic` has them in base64 (RFC 7617). */
export function isBasic(place: KeyPlace): boolean {
  return place.in === 'header' && place.before.toLowerCase() === 'basic ';
}

/** A key that nobody has, of the form that keys have there. */
export function unknownKeyIn(place: KeyPlace, text: string): string {
  return isBasic(place) ? btoa(`unknown:${text}`) : text;
}
