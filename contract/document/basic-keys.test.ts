import { expect, it } from 'vitest';
import { unknownKeyIn } from './basic-keys.ts';
import { keyHeaderOf } from './key-header.ts';

it.each([
  [{ header: 'Authorization', scheme: 'basic' }, btoa('unknown:x')],
  [{ header: 'Authorization', scheme: 'Token' }, 'x'],
  [{ header: 'X-Api-Key' }, 'x'],
])('a key that nobody has, where %j has it', (keys, expected) => {
  expect(unknownKeyIn(keyHeaderOf({ keys }), 'x')).toBe(expected);
});
