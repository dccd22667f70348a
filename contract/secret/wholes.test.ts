import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FoundPart, replaced, stars } from './wholes.ts';

const text = 'abcdefghijkl';

const parts = fc.array(
  fc.tuple(fc.nat({ max: text.length }), fc.nat({ max: text.length })).map(
    ([one, other]): FoundPart => ({
      start: Math.min(one, other),
      end: Math.max(one, other),
      maskOf: stars,
    }),
  ),
);

const named = (start: number, end: number, name: string): FoundPart => ({ start, end, maskOf: () => name });

describe('parts of a text', () => {
  it('are masked, and nothing else, in whatever order and however they overlap', () => {
    fc.assert(
      fc.property(parts, (found) => {
        const isMasked = (at: number) => found.some(({ start, end }) => start <= at && at < end);
        const masked = [...text].map((one, at) => (isMasked(at) ? '*' : one)).join('');
        expect(replaced(text, found)).toBe(masked);
      }),
    );
  });

  it.each([
    ['apart', [named(8, 10, '[b]'), named(0, 2, '[a]')], '[a]cdefgh[b]kl'],
    ['beside each other', [named(2, 4, '[b]'), named(0, 2, '[a]')], '[a][b]efghijkl'],
    ['overlapping', [named(3, 6, '[b]'), named(1, 4, '[a]')], 'a[a]ghijkl'],
    ['one within the other', [named(2, 3, '[b]'), named(1, 6, '[a]')], 'a[a]ghijkl'],
    ['one the beginning of the other', [named(1, 3, '[b]'), named(1, 6, '[a]')], 'a[a]ghijkl'],
    ['one the beginning of the other, told first', [named(1, 6, '[a]'), named(1, 3, '[b]')], 'a[a]ghijkl'],
  ])('have the name of the one that begins first: %s', (_how, found, masked) => {
    expect(replaced(text, found)).toBe(masked);
  });
});
