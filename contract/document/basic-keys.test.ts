import { expect, it } from 'vitest';
import { unknownKeyIn } from './basic-keys.ts';
import { keyPlaceOf } from './key-place.ts';

it.each([
  [{ header: 'Authorization', scheme: 'basic' }, btoa('unknown:x')],
  [{ header: 'Authorization', scheme: 'Token' }, 'x'],
  [{ header: 'X-Api-Key' }, 'x'],
  [{ query: 'basic' }, 'x'],
])('a key that nobody has, where %j has it', (keys, expected) => {
  expect(unknownKeyIn(keyPlaceOf({ keys }), 'x')).toBe(expected);
});
