import { expect, test } from 'vitest';
import { fileBytesAt, fileBytesMin, keyAliasAt, parseKeys } from './parameters.ts';

test.each([
  ['one', ['one']],
  [' one\n', ['one']],
  ['one\r', ['one']],
  ['one\r\ntwo\r\n', ['one', 'two']],
  ['one two\nthree\tfour\n', ['one', 'two', 'three', 'four']],
])('keys are separated by white space: %j', (text, keys) => {
  expect(parseKeys(text)).toEqual(keys);
});

test.each([undefined, '', ' \n', '\r'])('%j holds no key', (text) => {
  expect(() => parseKeys(text)).toThrow('there is no API key: API_KEY has to hold it');
});

test('keys beyond the named ones are called by their number', () => {
  expect([0, 1, 2].map((at) => keyAliasAt(['A', 'B'], at))).toEqual(['A', 'B', 'key-3']);
});

test('file sizes climb from a few bytes to the largest, each once, and small meets large', () => {
  const sizes = Array.from({ length: 45 }, (_, n) => fileBytesAt(n, 45, 1_048_576));
  expect(Math.min(...sizes)).toBe(fileBytesMin);
  expect(Math.max(...sizes)).toBe(1_048_576);
  expect(new Set(sizes).size).toBe(45);
  expect(sizes.slice(0, 2)).toEqual([fileBytesMin, 1_048_576]);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(5_000_000);
  expect(fileBytesAt(0, 1, 1_048_576)).toBe(1_048_576);
});
