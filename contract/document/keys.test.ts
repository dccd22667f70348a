import { expect, it } from 'vitest';
import { bearerHeader, keyHeaderOf, servesWithoutKey } from './key-header.ts';
import { keysSchema } from './keys.ts';

it.each([
  [undefined, bearerHeader],
  ['bearer', bearerHeader],
  ['none', bearerHeader],
  [{ header: 'X-Api-Key' }, { name: 'X-Api-Key', before: '' }],
  [
    { header: 'Authorization', scheme: 'Token' },
    { name: 'Authorization', before: 'Token ' },
  ],
])('keys %j stand in a header', (keys, header) => {
  expect(keyHeaderOf({ keys: keysSchema.parse(keys) })).toEqual(header);
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
] as const)('%j serves whoever asks: %j', (document, isOpen) => {
  expect(servesWithoutKey(document)).toBe(isOpen);
});
