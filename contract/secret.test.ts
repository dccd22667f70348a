import { expect, test } from 'vitest';
import { isApiKey, masked, masksFor, stars } from './secret.ts';

const withStars = (text: string, secret: string) => masked(text, masksFor(secret, stars));

test.each([
  ['as it is', 'Bearer a"b/c!', 'Bearer ******'],
  ['in JSON', JSON.stringify('a"b/c'), '"******"'],
  ['in a URL', `?k=${encodeURIComponent('a"b/c')}&x`, '?k=*********&x'],
  ['twice', 'a"b/ca"b/c', '**********'],
])('a key is masked %s', (_name, text, clean) => {
  const whole = text.replace('!', '');
  expect(withStars(whole, 'a"b/c')).toBe(clean.slice(0, whole.length));
});

test('an empty key masks nothing', () => {
  expect(withStars('text', '')).toBe('text');
});

test.each([
  ['sk_test-1.2~3', true],
  ['', false],
  ['a b', false],
  ['a\r\nb', false],
  ['schlüssel', false],
  ['x'.repeat(5_000), false],
])('%j can be an API key: %s', (text, is) => {
  expect(isApiKey(text)).toBe(is);
});
