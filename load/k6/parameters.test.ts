import { expect, test } from 'vitest';
import { keyAliasAt, parseKeys } from './parameters.ts';

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
  expect(() => parseKeys(text)).toThrow('CONFORMANCE_LOAD_KEY is not set');
});

test('keys beyond the named ones are called by their number', () => {
  expect([0, 1, 2].map((at) => keyAliasAt(['A', 'B'], at))).toEqual(['A', 'B', 'key-3']);
});
