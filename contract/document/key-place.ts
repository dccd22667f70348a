import { countedByIn } from './counted-by.ts';
import type { Document } from './document.ts';
import type { Keys } from './keys.ts';

/** Where a request carries its key: in a header, behind what stands before it there with a space, or in its query. */
export type KeyPlace =
  | { readonly in: 'header'; readonly name: string; readonly before: string }
  | { readonly in: 'query'; readonly name: string };

/** `Authorization: Bearer <key>` (RFC 6750 §2.1). */
export const bearerHeader: KeyPlace = { in: 'header', name: 'Authorization', before: 'Bearer ' };

/** Where a document has its keys. Where nothing is promised of keys, they are sent as bearer tokens. */
export function keyPlaceOf({ keys }: { readonly keys?: Keys | undefined }): KeyPlace {
  if (typeof keys !== 'object') return bearerHeader;
  if ('query' in keys) return { in: 'query', name: keys.query };
  return { in: 'header', name: keys.header, before: keys.scheme === undefined ? '' : `${keys.scheme} ` };
}

/** Whether whoever asks from an address is served, whatever key they have, or none: no scope counts by keys. */
export function servesWithoutKey({ keys, countedBy, scopes }: Partial<Asked>): boolean {
  const counting = { countedBy, scopes: scopes ?? {} };
  const named = Object.keys(counting.scopes);
  const all = named.length === 0 ? [countedBy] : named.map((scope) => countedByIn(counting, scope));
  return keys === 'none' && all.every((by) => by === 'address');
}

type Asked = Pick<Document, 'keys' | 'countedBy' | 'scopes'>;

/** How a request carries a key, as a person writes it: the header `X-Api-Key: <key>`, or `?api_key=<key>`. */
export function keyField(place: KeyPlace, key: string): string {
  return place.in === 'query' ? `?${place.name}=${key}` : `${place.name}: ${place.before}${key}`;
}

/** A path with one parameter more at the end of its query; its name is a word. */
export function withParameter(path: string, name: string, value: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
}
