import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonBytes, unread } from './json-bytes.ts';
import { Texts } from './texts.ts';

/** The number that a text spells, or `null` where that is left to JSON.parse. */
function read(text: string): number | null {
  const json = new JsonBytes(new Texts(), 1);
  const end = json.number(new TextEncoder().encode(`${text},`), 0, 0);
  expect([unread, text.length]).toContain(end);
  return end === unread ? null : (json.values[0] as number);
}

const digits = (maxLength: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));

test('a number is the double that is nearest to it, whatever the number of its digits', () => {
  const number = fc.tuple(fc.constantFrom('', '-'), fc.bigInt(0n, 10n ** 20n), fc.option(digits(14)));
  fc.assert(
    fc.property(number, ([sign, whole, part]) => {
      const text = `${sign}${whole}${part === null ? '' : `.${part}`}`;
      expect(read(text)).toBe(Number(text));
    }),
    { numRuns: 2_000 },
  );
});

test('so is a moment of the clock, close to the middle between two doubles too', () => {
  const whole = fc
    .integer({ min: 0, max: 10 })
    .chain((power) => fc.nat(2 ** 39).map((add) => 2 ** (39 + power) + add));
  const halves = fc.tuple(
    fc.nat(2 ** 14 - 1),
    fc.constantFrom(0, 1e-9, -1e-9),
    fc.integer({ min: 1, max: 9 }),
  );
  const nearHalf = halves.map(([at, off, places]) => Math.abs(at / 2 ** 14 + off).toFixed(places));
  const part = fc.oneof(
    digits(9),
    nearHalf.map((text) => text.slice(2)),
  );
  fc.assert(
    fc.property(whole, part, (moment, behind) => {
      const text = `${moment}.${behind}`;
      expect(read(text)).toBe(Number(text));
    }),
    { numRuns: 4_000 },
  );
});
