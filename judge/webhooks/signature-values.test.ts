import { describe, expect, it } from 'vitest';
import { signatureValue } from './signature-values.ts';

const long = 'a'.repeat(16);
const other = 'b'.repeat(16);

describe('what may be the signature in a value', () => {
  it.each([
    ['', ['']],
    [` ${long} `, [long]],
    [`sha256=${long}`, [long]],
    [`sha256= ${long}`, [long]],
    [`v1:${long}`, [long]],
    [`V1=${long}`, [long]],
    [`a_b-c2=${long}`, [long]],
    [`"v1=${long}"`, [long]],
    [`'${long}'`, [long]],
    [`v1="${long}"`, [long]],
    [`v1=a"${long}`, [`a"${long}`]],
    // A name has 16 characters at most, and begins with a letter.
    [`abcdefghijklmnop=${long}`, [long]],
    [`abcdefghijklmnopq=${long}`, [`abcdefghijklmnopq=${long}`]],
    [`1v=${long}`, [`1v=${long}`]],
    [`!v1=${long}`, [`!v1=${long}`]],
    // Padding of base64 is no sign after a name.
    [`${long}==`, [`${long}==`]],
    ['abcdefg=', ['abcdefg=']],
    ['abcdef==', ['abcdef==']],
    // The whole value is tried first, and each part that is long enough.
    [`${long},${other}`, [`${long},${other}`, long, other]],
    [`${long} ; ${other}`, [`${long} ; ${other}`, long, other]],
    [`v1,${long}`, [`v1,${long}`, long]],
    [`${long}\n${'b'.repeat(15)}`, [`${long}\n${'b'.repeat(15)}`, long]],
    [`t=1,v1=${long}`, [`1,v1=${long}`, long]],
  ])('%j', (value, signatures) => {
    expect(signatureValue(value).signatures).toEqual(signatures);
  });

  it('is one of the first eight parts', () => {
    const parts = Array.from({ length: 9 }, (_, at) => `${at}`.repeat(16));
    const value = parts.join(', ');
    expect(signatureValue(value).signatures).toEqual([value, ...parts.slice(0, 8)]);
  });
});

describe('a time in a value', () => {
  it.each([
    ['t=123456789', [['the "t" of the value', '123456789']]],
    ['v1=x,ts=1234567890123456789', [['the "ts" of the value', '1234567890123456789']]],
    ['t=12345678', []],
    ['t=12345678901234567890', []],
    ['t=x123456789', []],
    ['t=123456789x', []],
    ['123456789', []],
  ])('%j', (value, times) => {
    expect(signatureValue(value).times).toEqual(times);
  });
});
