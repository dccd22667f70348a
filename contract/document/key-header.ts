import type { Document } from './document.ts';
import type { Keys } from './keys.ts';

/** Where a request carries its key: the header, and what stands in it before the key, with a space behind. */
export type KeyHeader = { readonly name: string; readonly before: string };

/** `Authorization: Bearer <key>` (RFC 6750 §2.1). */
export const bearerHeader: KeyHeader = { name: 'Authorization', before: 'Bearer ' };

/** The header of a document's keys. Where nothing is promised of keys, they are sent as bearer tokens. */
export function keyHeaderOf({ keys }: { readonly keys?: Keys | undefined }): KeyHeader {
  if (typeof keys !== 'object') return bearerHeader;
  return { name: keys.header, before: keys.scheme === undefined ? '' : `${keys.scheme} ` };
}

/** Whether whoever asks from an address is served, whatever key they have, or none. */
export function servesWithoutKey({
  keys,
  countedBy,
}: Partial<Pick<Document, 'keys' | 'countedBy'>>): boolean {
  return keys === 'none' && countedBy === 'address';
}

/** The line of a request that carries a key, as `X-Api-Key: <key>`. */
export function keyField({ name, before }: KeyHeader, key: string): string {
  return `${name}: ${before}${key}`;
}
