import { describe, expect, it } from 'vitest';
import { writtenAnew } from './json-styles.ts';

const value: unknown = JSON.parse('{"b":[1,{"d":"ü/","c":null}],"a":"<&>\\"+\'`\\u2028"}');

/** What an escape looks like, and a control character, which every serialiser escapes. */
const escapes = { a: '\\', b: '\\u00fc', c: '\u001f', d: '\\"', e: '\n' };

const formsOf = (of: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(writtenAnew(of).map(({ how, text }) => [how, text]));

describe('the same JSON', () => {
  it.each([
    ['compact', '{"b":[1,{"d":"ü/","c":null}],"a":"<&>\\"+\'`\u2028"}'],
    ['with spaces (as Python does)', '{"b": [1, {"d": "ü/", "c": null}], "a": "<&>\\"+\'`\u2028"}'],
    ['compact, keys sorted', '{"a":"<&>\\"+\'`\u2028","b":[1,{"c":null,"d":"ü/"}]}'],
    ['compact, non-ASCII escaped', '{"b":[1,{"d":"\\u00fc/","c":null}],"a":"<&>\\"+\'`\\u2028"}'],
    [
      'compact, "/" and non-ASCII escaped (as PHP does)',
      '{"b":[1,{"d":"\\u00fc\\/","c":null}],"a":"<&>\\"+\'`\\u2028"}',
    ],
    ['compact, "/" escaped', '{"b":[1,{"d":"ü\\/","c":null}],"a":"<&>\\"+\'`\u2028"}'],
    [
      'compact, "<", ">" and "&" escaped (as Go does)',
      '{"b":[1,{"d":"ü/","c":null}],"a":"\\u003c\\u0026\\u003e\\"+\'`\\u2028"}',
    ],
    [
      'compact, "<", ">", "&" and non-ASCII escaped',
      '{"b":[1,{"d":"\\u00fc/","c":null}],"a":"\\u003c\\u0026\\u003e\\"+\'`\\u2028"}',
    ],
    [
      'compact, escaped as .NET does',
      '{"b":[1,{"d":"\\u00FC/","c":null}],"a":"\\u003C\\u0026\\u003E\\u0022\\u002B\\u0027\\u0060\\u2028"}',
    ],
  ])('%s', (how, text) => {
    expect(formsOf(value)[how]).toBe(text);
  });

  it.each([
    ['by two', '  '],
    ['by four', '    '],
    ['by tabs', '\t'],
  ])('indented %s', (how, space) => {
    expect(formsOf([{ a: 1 }])[`indented ${how}`]).toBe(`[\n${space}{\n${space}${space}"a": 1\n${space}}\n]`);
  });

  it('has the escapes of .NET in capitals, and what only looks like one as it is', () => {
    expect(formsOf(escapes)['compact, escaped as .NET does']).toBe(
      '{"a":"\\\\","b":"\\\\u00fc","c":"\\u001F","d":"\\\\\\u0022","e":"\\n"}',
    );
    for (const { text } of writtenAnew(escapes)) expect(JSON.parse(text)).toEqual(escapes);
  });

  it('in each style and escaping, sorted last, is the same value', () => {
    const all = writtenAnew(value);
    expect(new Set(all.map(({ how }) => how)).size).toBe(2 * 5 * 7);
    expect(all.findIndex(({ how }) => how.endsWith(', keys sorted'))).toBe(5 * 7);
    for (const { text } of all) expect(JSON.parse(text)).toEqual(value);
  });
});
