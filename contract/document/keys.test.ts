import { expect, it } from 'vitest';
import type { Document } from './document.ts';
import { bearerHeader, keyField, keyPlaceOf, servesWithoutKey, withParameter } from './key-place.ts';
import { keysSchema } from './keys.ts';

it.each([
  [undefined, bearerHeader],
  ['bearer', bearerHeader],
  ['none', bearerHeader],
  [{ header: 'X-Api-Key' }, { in: 'header', name: 'X-Api-Key', before: '' }],
  [
    { header: 'Authorization', scheme: 'Token' },
    { in: 'header', name: 'Authorization', before: 'Token ' },
  ],
  [{ query: 'api_key' }, { in: 'query', name: 'api_key' }],
])('keys %j stand in their place', (keys, place) => {
  expect(keyPlaceOf({ keys: keysSchema.parse(keys) })).toEqual(place);
});

it.each([
  'basic',
  { header: '' },
  { header: 'X Key' },
  { header: 'X-Key: $(id)' },
  { header: 'X-Request-Id' },
  { header: 'content-type' },
  { header: 'Cookie' },
  { header: 'Authorization', scheme: 'Token ' },
  { header: 'Authorization', prefix: 'Token' },
  { query: '' },
  { query: 'api_key=' },
  { query: 'a&b' },
  { query: 'key', scheme: 'Token' },
  { query: 'key', header: 'X-Api-Key' },
])('keys %j cannot be sent', (keys) => {
  expect(keysSchema.safeParse(keys).success).toBe(false);
});

it.each(['Host-Key', 'X-Host', 'My-Cookie', 'Cookies'])('%s can carry a key', (header) => {
  expect(keysSchema.parse({ header })).toEqual({ header });
});

it.each([
  [{ keys: 'none', countedBy: 'address' }, true],
  [{ keys: 'none', countedBy: 'account' }, false],
  [{ keys: 'none' }, false],
  [{ keys: 'bearer', countedBy: 'address' }, false],
  // Said at each scope, it is said of the whole.
  [{ keys: 'none', scopes: { a: { countedBy: 'address' }, b: { countedBy: 'address' } } }, true],
  [{ keys: 'none', scopes: { a: { countedBy: 'address' }, b: {} } }, false],
  [{ keys: 'none', countedBy: 'address', scopes: { a: {} } }, true],
  [{ keys: 'none', countedBy: 'address', scopes: { a: { countedBy: 'key' }, b: {} } }, false],
  [{ keys: 'none', countedBy: 'address', scopes: {} }, true],
] as const)('%j serves whoever asks: %j', (document, isOpen) => {
  expect(servesWithoutKey(document as Partial<Document>)).toBe(isOpen);
});

it.each([
  [bearerHeader, 'Authorization: Bearer KEY'],
  [{ in: 'header', name: 'X-Api-Key', before: '' }, 'X-Api-Key: KEY'],
  [{ in: 'query', name: 'key' }, '?key=KEY'],
] as const)('a person reads where %j has its key', (place, text) => {
  expect(keyField(place, 'KEY')).toBe(text);
});

it.each([
  ['/x', '/x?key=a%2Bb%2F%3D%26%23%25'],
  ['/x?a=1', '/x?a=1&key=a%2Bb%2F%3D%26%23%25'],
])('a key in the query of %s is read as it is, whatever stands in it', (path, expected) => {
  const target = withParameter(path, 'key', 'a+b/=&#%');
  expect(target).toBe(expected);
  expect(new URL(target, 'http://x').searchParams.get('key')).toBe('a+b/=&#%');
});
