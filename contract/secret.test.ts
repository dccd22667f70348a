import { expect, test } from 'vitest';
import { isApiKey } from './secret.ts';

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
