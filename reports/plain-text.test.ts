import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../contract/testing/any-character.ts';
import { plainText } from './plain-text.ts';
import { hostile } from './testing/fixtures.ts';

describe('plainText', () => {
  it('spells out what a terminal would obey', () => {
    expect(plainText('\u001b[31mred\u0007\n\u202e', 100)).toBe('\\x1b[31mred\\x07\\n\\u{202e}');
  });

  it('keeps letters of any script', () => {
    expect(plainText('überlastet: 多すぎる ½', 100)).toBe('überlastet: 多すぎる ½');
  });

  it('cuts, and says how much there was', () => {
    expect(plainText('x'.repeat(1_000_000), 5)).toBe('xxxxx… (1000000 characters)');
  });

  it('leaves no control, format or unpaired character, whatever it is given', () => {
    const anything = fc.string({ unit: anyCharacter, maxLength: 50 });
    fc.assert(
      fc.property(fc.oneof(anything, fc.constant(hostile)), (raw) => {
        const text = plainText(raw, 40);
        expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});
