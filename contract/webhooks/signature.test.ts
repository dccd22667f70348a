import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSigned, signatureHeader, signaturePrefix, signBody } from './signature.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a published vector', () => {
  expect(signBody("It's a Secret to Everybody", bytes('Hello, World!'))).toBe(
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  );
});

const signed = fc.record({
  secret: fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }),
  body: fc.uint8Array({ maxLength: 300 }),
});
const seeded = { seed: 7, numRuns: 400 };

test('what is signed is accepted, by either secret while one is rotated', () => {
  fc.assert(
    fc.property(signed, fc.string({ minLength: 1 }), ({ secret, body }, other) => {
      const value = signBody(secret, body);
      expect(isSigned({ value, body, secrets: [secret] })).toBe(true);
      expect(isSigned({ value, body, secrets: [other, secret] })).toBe(true);
    }),
    seeded,
  );
});

/** The same bytes with one of them changed. */
function changed(of: Uint8Array, at: number, by: number): Uint8Array {
  const copy = Uint8Array.from(of);
  const index = at % copy.length;
  copy[index] = (copy[index] as number) ^ by;
  return copy;
}

const change = fc.record({ at: fc.nat(100_000), by: fc.integer({ min: 1, max: 255 }) });

test('any change of one byte of body, header or secret is refused', () => {
  fc.assert(
    fc.property(signed, change, ({ secret, body }, { at, by }) => {
      const value = signBody(secret, body);
      if (body.length > 0)
        expect(isSigned({ value, body: changed(body, at, by), secrets: [secret] })).toBe(false);
      const header = Buffer.from(changed(bytes(value), at, by)).toString('latin1');
      expect(isSigned({ value: header, body, secrets: [secret] })).toBe(false);
      const ascii = Buffer.from(secret).toString('hex');
      const wrong = Buffer.from(changed(bytes(ascii), at, (by % 127) + 1)).toString('latin1');
      expect(isSigned({ value: signBody(ascii, body), body, secrets: [wrong] })).toBe(false);
    }),
    seeded,
  );
});

test.each([
  ['no header', null],
  ['an empty one', ''],
  ['no prefix', 'hex'],
  ['upper case', 'upper'],
  ['truncated', 'cut'],
  ['doubled', 'doubled'],
])('%s is refused', (_what, how) => {
  const body = bytes('{}');
  const value = signBody('s', body);
  const hex = value.slice(signaturePrefix.length);
  const values: Readonly<Record<string, string>> = {
    hex,
    upper: `sha256=${hex.toUpperCase()}`,
    cut: value.slice(0, -1),
    doubled: `${value}, ${value}`,
  };
  expect(isSigned({ value: values[how ?? ''] ?? how, body, secrets: ['s'] })).toBe(false);
});

test('the header and its prefix are the documented ones', () => {
  expect(`${signatureHeader}: ${signaturePrefix}`).toBe('X-Service-Signature: sha256=');
});

test('an empty secret signs nothing', () => {
  const body = bytes('{}');
  expect(isSigned({ value: signBody('', body), body, secrets: [''] })).toBe(false);
});
