import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../testing/any-character.ts';
import { type MaskStream, maskStream } from './mask-stream.ts';
import { maskerOf } from './masker.ts';
import { apiKey, around, coated } from './testing/coated.ts';

const maskerFor = (secret: string) => maskerOf([{ secret, maskOf: () => '[key]' }]);

/** What comes out when a text goes in by pieces that end at these places. */
function streamed(
  secret: string,
  text: string,
  cuts: readonly number[],
  between: (stream: MaskStream) => string = () => '',
): string {
  const stream = maskStream(maskerFor(secret));
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  const pieces = [...places, text.length].map((to, at) => text.slice(places[at - 1] ?? 0, to));
  return pieces.map((piece) => stream.write(piece) + between(stream)).join('') + stream.end();
}

it('masks a key across the borders of pieces, however it is spelt', () => {
  fc.assert(
    fc.property(
      coated,
      around,
      around,
      fc.array(fc.nat(), { maxLength: 9 }),
      ({ secret, text }, before, after, cuts) => {
        expect(streamed(secret, before + text + after, cuts)).toBe(`${before}[key]${after}`);
      },
    ),
    { numRuns: 300 },
  );
});

it('masks a key in base64 across the borders of pieces', () => {
  fc.assert(
    fc.property(apiKey, fc.array(fc.nat(), { maxLength: 9 }), (secret, cuts) => {
      const text = `{"echo":"${btoa(`Bearer ${secret}`)}"}`;
      expect(streamed(secret, text, cuts)).toBe(maskerFor(secret).mask(text));
    }),
    { numRuns: 200 },
  );
});

it('lets every other text out as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.nat(), { maxLength: 5 }), (text, cuts) => {
      expect(streamed('0a1b2c3d4e5f6', text, cuts)).toBe(text);
    }),
  );
});

it('lets out at once what cannot be the beginning of a key', () => {
  const { write, end } = maskStream(maskerFor('sk_live_1234567890'));
  expect(write('a line\nsk_l')).toBe('a line\n');
  expect(write('ines, 100 %')).toBe('sk_lines, 100 ');
  expect(write(' done\n')).toBe('% done\n');
  expect(write('Key: sk')).toBe('Key: ');
  expect(end()).toBe('sk');
});

it('holds nothing back for ever', () => {
  const { write } = maskStream(maskerFor('a'.repeat(70_000)));
  expect(write('a'.repeat(65_536))).toBe('');
  expect(write('a')).toBe('a'.repeat(65_537));
});

it('shows three characters of a key at most where what waits is shown, and each character once', () => {
  fc.assert(
    fc.property(coated, around, around, fc.array(fc.nat(), { maxLength: 9 }), (one, before, after, cuts) => {
      const { secret, text } = one;
      const out = streamed(secret, before + text + after, cuts, (stream) => stream.show());
      const [head = '', tail = '', ...more] = out.split('[key]');
      expect(more).toEqual([]);
      expect(head.startsWith(before)).toBe(true);
      expect(head.length - before.length).toBeLessThanOrEqual(3);
      expect(tail).toBe(after);
      expect(streamed('0a1b2c3d4e5f6', before + after, cuts, (stream) => stream.show())).toBe(before + after);
    }),
    { numRuns: 300 },
  );
});

it('shows what waits, and lets out the rest of it later, whatever that becomes', () => {
  const { write, show, end } = maskStream(maskerFor('sk_live_1234567890'));
  expect(write('Key: sk') + show()).toBe('Key: sk');
  expect(show()).toBe('');
  expect(write('_') + show()).toBe('_');
  // A fourth character of a key is shown to nobody.
  expect(write('l') + show()).toBe('');
  expect(write('ine!')).toBe('line!');
  expect(write(' sk') + show()).toBe(' sk');
  expect(write('_live_1234567890!')).toBe('[key]!');
  expect(write('s') + show() + end()).toBe('s');
});

it('shows no character twice where a key may begin within what was shown', () => {
  const { write, show, end } = maskStream(maskerFor('aabcdefghijklmnop'));
  expect(write('aa') + show()).toBe('aa');
  expect(write('a')).toBe('');
  expect(show()).toBe('a');
  expect(write('bc?')).toBe('bc?');
  expect(end()).toBe('');
});
