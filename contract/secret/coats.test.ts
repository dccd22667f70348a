import { describe, expect, it } from 'vitest';
import { brokenEscapeAt, readingsOf } from './coats.ts';

const textsOf = (whole: string) => readingsOf(whole).map(({ text }) => text);

describe('the readings of a text', () => {
  it.each([
    ['\\u0041\\x42\\103\\u{44}\\u{000045}', 'ABCDE'],
    ['\\b\\f\\n\\r\\t\\"\\q', '\b\f\n\r\t"q'],
    ['\\u{10ffff}', '\u{10ffff}'],
    // Beyond the last character: what it stands for is nothing, and no reason to fail.
    ['a\\u{110000}b', 'ab'],
    ['%41%c3', 'AÃ'],
    ['&#65;&#x42;&#067;&#x0044;&amp;&LT;', 'ABCD&<'],
    ['&#65 &#x42.', 'A B.'],
    ['a\nb\r\n \tc', 'abc'],
  ])('%j is read as %j', (whole, text) => {
    expect(textsOf(whole)).toContain(text);
  });

  it.each(['plain', '100 %', 'a%b', 'Q&A', '&nbsp;', '&#x;', '&#65', '&#x41', '\\u004', '\\x4', '\\400'])(
    '%j has no other',
    (whole) => {
      expect(textsOf(whole)).toEqual([whole]);
    },
  );

  it('are there once, however many ways lead to them', () => {
    expect(textsOf('\\q%41&lt;')).toHaveLength(8);
  });

  it('are those of escapes too, and not more than 32', () => {
    expect(textsOf('%2541')).toEqual(['%2541', '%41', 'A']);
    expect(textsOf(`%${'25'.repeat(50)}41`)).toHaveLength(32);
  });
});

describe('an escape that the end cuts off', () => {
  it.each([
    ...[
      '\\',
      '\\u',
      '\\u00a',
      '\\u{',
      '\\u{00004a',
      '\\x',
      '\\x4',
      '\\0',
      '\\05',
      '%',
      '%4',
      '&',
      '&#',
      '&#x4a',
      '&quot',
    ],
  ])('begins before %j', (cut) => {
    expect(brokenEscapeAt(`a key: ${cut}`)).toBe(7);
    expect(brokenEscapeAt(`%${cut}`)).toBe(1);
  });

  it.each(['', 'a', '\\n', '\\8', '\\85', '\\0x', '\\u{0000041', '%41', '% ', '&amp;', '&abcdefghijk'])(
    'is not seen at the end of %j',
    (text) => {
      expect(brokenEscapeAt(text)).toBe(text.length);
    },
  );
});
