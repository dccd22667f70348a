import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyRemover } from './without-keys.ts';

const keys = [
  { alias: 'A', secret: 'secret/of"A' },
  { alias: 'B', secret: 'another-secret' },
];

describe('keyRemover', () => {
  const remove = keyRemover(keys);

  it.each([
    ['Bearer secret/of"A', 'Bearer [key A]'],
    ['{"echo":"secret/of\\"A"}', '{"echo":"[key A]"}'],
    ['?key=secret%2Fof%22A&x=another-secret', '?key=[key A]&x=[key B]'],
    ['cut off: another-sec', 'cut off: [key B]'],
    ['nothing of that', 'nothing of that'],
    ['an other sec', 'an other sec'],
  ])('%s becomes %s', (text, clean) => {
    expect(remove(text)).toBe(clean);
  });

  it('leaves no key, wherever it stands and wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(60), (before, after, length) => {
        const cleaned = remove(`${before}another-secret${after}`.slice(0, length));
        expect(cleaned).not.toContain('another-');
      }),
    );
  });

  it('gives each text what it gives it alone, whatever came before', () => {
    const texts = Array.from({ length: 12 }, (_, at) => `answer ${at} to another-secret`);
    fc.assert(
      fc.property(fc.array(fc.nat(11), { maxLength: 40 }), (asked) => {
        const own = keyRemover(keys);
        expect(asked.map((at) => own(texts[at] ?? ''))).toEqual(asked.map((at) => `answer ${at} to [key B]`));
      }),
    );
  });
});
