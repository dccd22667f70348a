import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapedPartsOf, type Room, roomFor } from './escaped-parts.ts';
import { searchFor } from './search.ts';
import { coated } from './testing/coated.ts';
import { maskWholes, stars } from './wholes.ts';

const partsOf = (text: string, charactersMin = 1) =>
  escapedPartsOf(text, roomFor(['x'.repeat(charactersMin)])).map((part) => part.text);

describe('the parts of a text with escapes', () => {
  it.each([
    ['plain <b>text</b>', []],
    ['<p>100 %</p>', ['>100 %<']],
    ['{"a":"x\\/y","b":"z"}', ['"x\\/y"']],
    // With the edge that is escaped.
    ['"{\\"a\\":1}"', ['"{\\"', '"a\\"']],
    ['<a>\n  <b>', ['>\n  <']],
    ['a&amp;b', ['a&amp;b']],
    ['"a%20', ['"a%20']],
    ['\\', ['\\']],
  ])('of %j are %j', (text, parts) => {
    expect(partsOf(text)).toEqual(parts);
  });

  it('are those with room enough', () => {
    expect(partsOf('<a>\n  <b>%20 %20<%', 7)).toEqual(['>%20 %20<']);
    expect(partsOf('<a>\n  <b>%20 %20<%', 8)).toEqual([]);
  });

  it('are those with room for a hundred characters, where secrets are longer', () => {
    const long = `%20${'x'.repeat(97)}`;
    expect(partsOf(`<${long}<${long.slice(1)}<`, 2_000)).toEqual([`<${long}<`]);
  });

  it('are the whole text where nothing is an edge', () => {
    expect(escapedPartsOf('<a>\n<b>%', roomFor(['"<>', "'()=", 'x']))).toEqual([
      { from: 0, text: '<a>\n<b>%' },
    ]);
  });

  it('begin where they say, also where a piece is there twice', () => {
    const text = '<a>\n<b title="50 %">&lt;</b><b title="50 %">&lt;';
    const parts = escapedPartsOf(text, roomFor(['x']));
    expect(parts.map(({ from, text: part }) => text.slice(from, from + part.length))).toEqual(partsOf(text));
    expect(parts.map(({ from }) => from)).toEqual([2, 13, 19, 37, 43]);
  });

  it('are few in a page, and short', () => {
    const line = '<p class="note">Too many requests&nbsp;from you</p>\n        <br>\n';
    const parts = partsOf(line.repeat(500), 12);
    expect(parts).toHaveLength(500);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(line.length);
  });
});

/** Of a text that has no edges. */
const everywhere: Room = { edges: '', withRoom: /[\s\S]+/g };

describe('an edge', () => {
  it('is none that a text holds', () => {
    expect(roomFor(['a"b', 'c<']).edges).toBe(">'()=");
    expect(roomFor(['"<>', "'()="])).toEqual({ edges: '', withRoom: /[\s\S]{3,}/g });
  });

  it('hides nothing of a secret, wherever it is and whatever is around', () => {
    const unit = fc.constantFrom(
      ...[
        '"',
        '<',
        '>',
        "'",
        '(',
        ')',
        '=',
        '\\',
        '%',
        '&',
        '\n',
        '\r',
        ' ',
        '4',
        'u',
        ';',
        '#',
        'x',
        '%25',
        '&amp;',
      ],
    );
    const around = fc.string({ unit, maxLength: 24 });
    const folded = fc.record({
      at: fc.nat(),
      by: fc.constantFrom('', '\n', '\r\n\t ', '\\n  ', '&#10; '),
    });
    fc.assert(
      fc.property(coated, around, around, folded, ({ secret, text }, before, after, { at, by }) => {
        const search = searchFor([{ secret, maskOf: stars }]);
        const middle = at % (text.length + 1);
        const whole = before + text.slice(0, middle) + by + text.slice(middle) + after;
        const masked = maskWholes(whole, search);
        expect(maskWholes(masked, { ...search, ...everywhere })).toBe(masked);
      }),
      { numRuns: 2_000 },
    );
  });
});
