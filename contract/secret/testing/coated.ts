import fc from 'fast-check';

/** What is around a key cannot be mistaken for a part of one. */
export const around = fc.string({ unit: fc.constantFrom('.', ';', ' ', '(', '}', 'ü'), maxLength: 12 });
export const apiKey = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 12,
    maxLength: 40,
  })
  // Else its parts repeat, and a mask may begin a little earlier or later. What follows an escape at its end may be a part of that.
  .filter(
    (text) => new Set(text.toLowerCase()).size > 9 && !/[.;(}]|(\\\w*|%[\da-f]{2}|&#?\w*)$/i.test(text),
  );

const hex = (text: string, digits: number) => text.charCodeAt(0).toString(16).padStart(digits, '0');

/** Ways to write one character. */
const ways: readonly ((one: string) => string)[] = [
  (one) => one,
  (one) => one.toUpperCase(),
  (one) => one.toLowerCase(),
  (one) => `%${hex(one, 2)}`,
  (one) => `%${hex(one, 2).toUpperCase()}`,
  (one) => `&#${one.charCodeAt(0)};`,
  (one) => `&#x${hex(one, 4)};`,
  (one) => `\\u${hex(one, 4)}`,
  (one) => `\\u${hex(one, 4).toUpperCase()}`,
  (one) => `\\x${hex(one, 2)}`,
  (one) => `%25${hex(one, 2)}`,
  (one) => `\\\\u${hex(one, 4)}`,
];

/** A key with some of its characters written in another way, as encoders do with those that they must escape. */
export const coated = fc
  .record({
    secret: apiKey,
    special: fc.constantFrom(...ways),
    usual: fc.constantFrom(
      (one: string) => one,
      (one: string) => one.toUpperCase(),
    ),
    isSpecial: fc.func(fc.boolean()),
  })
  .map(({ secret, special, usual, isSpecial }) => {
    const escapes = (one: string) => !/[A-Za-z0-9]/.test(one) || isSpecial(one);
    // What starts an escape of that kind is itself always escaped.
    return { secret, text: [...secret].map((one) => (escapes(one) ? special : usual)(one)).join('') };
  });
