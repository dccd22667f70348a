import { describe, expect, it } from 'vitest';
import { parseBody } from '../../contract/error-body.ts';
import { signedTexts } from './signed-texts.ts';

type Header = readonly [name: string, value: string];

/** What may have been signed, by what it is called. */
function textsOf(text: string, headers: readonly Header[] = []): Readonly<Record<string, string>> {
  const bytes = Buffer.from(text);
  const request = { headers, method: 'POST', path: '/hooks?a=1', times: [] };
  const found = signedTexts({ bytes, text, parsed: parseBody(text), ...request });
  return Object.fromEntries(found.map((one) => [one.what, Buffer.from(one.bytes).toString('utf8')]));
}

describe('what a sender may have signed', () => {
  it('is the body, also with the path, or nothing', () => {
    expect(textsOf('no JSON')).toEqual({
      'the exact bytes of the body': 'no JSON',
      'the body with a line break after it (as Encode of Go writes it)': 'no JSON\n',
      'the body with a byte order mark (BOM)': '\ufeffno JSON',
      'the body as a JSON string': '"no JSON"',
      'path and body': '/hooks?a=1no JSON',
      'method, path and body': 'POST/hooks?a=1no JSON',
      'method, path and body, a line each': 'POST\n/hooks?a=1\nno JSON',
      'method, path and body, joined by "."': 'POST./hooks?a=1.no JSON',
      'body and path': 'no JSON/hooks?a=1',
      'an empty text': '',
    });
  });

  it('is the body without its last line break', () => {
    const what = 'the body without the line break at its end';
    expect(textsOf('{"a":1}\r\n')[what]).toBe('{"a":1}');
    expect(textsOf('{"a":\n1}\n')[what]).toBe('{"a":\n1}');
    expect(textsOf('{"a":\n1}')[what]).toBeUndefined();
  });

  it('is the body without a byte order mark at its beginning alone', () => {
    const texts = textsOf('\ufeffa\ufeffb');
    expect(texts['the body without its byte order mark (BOM)']).toBe('a\ufeffb');
    expect(textsOf('a\ufeffb')['the body without its byte order mark (BOM)']).toBeUndefined();
  });

  it('is the body beside the address that the request names', () => {
    const texts = textsOf('x', [
      ['Accept', 'all'],
      ['host', 'a.test'],
    ]);
    expect(texts['URL and body']).toBe('http://a.test/hooks?a=1x');
  });

  it('is its data alone, in the most common ways to write JSON', () => {
    const names = Object.keys(textsOf(`{"data":{"a":"<ü/'\\""}}`));
    expect(names.filter((name) => name.startsWith('data alone'))).toEqual([
      'data alone',
      'data alone, compact, non-ASCII escaped',
      'data alone, compact, "/" and non-ASCII escaped (as PHP does)',
      'data alone, compact, "/" escaped',
      'data alone, compact, "<", ">" and "&" escaped (as Go does)',
      'data alone, compact, "<", ">", "&" and non-ASCII escaped',
      'data alone, compact, escaped as .NET does',
      'data alone, with spaces (as Python does)',
      'data alone, with spaces (as Python does), non-ASCII escaped',
    ]);
  });

  it('is its JSON as another serialiser writes it', () => {
    const texts = textsOf('{ "b": [1, {"d": "ü/", "c": null}], "a": {"z": true, "y": 2}, "data": "x" }');
    expect(texts).toMatchObject({
      'the JSON written anew, compact': '{"b":[1,{"d":"ü/","c":null}],"a":{"z":true,"y":2},"data":"x"}',
      'the JSON written anew, compact, non-ASCII escaped':
        '{"b":[1,{"d":"\\u00fc/","c":null}],"a":{"z":true,"y":2},"data":"x"}',
      'the JSON written anew, compact, "/" and non-ASCII escaped (as PHP does)':
        '{"b":[1,{"d":"\\u00fc\\/","c":null}],"a":{"z":true,"y":2},"data":"x"}',
      'the JSON written anew, with spaces (as Python does), non-ASCII escaped':
        '{"b": [1, {"d": "\\u00fc/", "c": null}], "a": {"z": true, "y": 2}, "data": "x"}',
      'the JSON written anew, with spaces (as Python does)':
        '{"b": [1, {"d": "ü/", "c": null}], "a": {"z": true, "y": 2}, "data": "x"}',
      'the JSON written anew, compact, keys sorted':
        '{"a":{"y":2,"z":true},"b":[1,{"c":null,"d":"ü/"}],"data":"x"}',
      'data alone': '"x"',
    });
    expect(texts['the JSON written anew, indented by two']).toContain('{\n  "b": [\n    1,');
  });

  it('is each text once, and data where there are some', () => {
    expect(Object.keys(textsOf('{"a":1}'))).toEqual([
      'the exact bytes of the body',
      'the body with a line break after it (as Encode of Go writes it)',
      'the body with a byte order mark (BOM)',
      'the body as a JSON string',
      'the JSON written anew, with spaces (as Python does)',
      'the JSON written anew, indented by two',
      'the JSON written anew, indented by four',
      'the JSON written anew, indented by tabs',
      'path and body',
      'method, path and body',
      'method, path and body, a line each',
      'method, path and body, joined by "."',
      'body and path',
      'an empty text',
    ]);
  });
});

describe('a time or an id before the body', () => {
  it('is that of a header, in one of three forms, and with an id before it', () => {
    const texts = textsOf('{}', [
      ['X-Time', '1760000041'],
      ['Webhook-Id', 'evt_1'],
    ]);
    expect(texts).toMatchObject({
      'X-Time, "." and the body': '1760000041.{}',
      'X-Time and the body': '1760000041{}',
      '"v0:", X-Time, ":" and the body': 'v0:1760000041:{}',
      'Webhook-Id, X-Time and the body, joined by "."': 'evt_1.1760000041.{}',
    });
  });

  it('is that of the body, as a number or a text', () => {
    expect(textsOf('{"timestamp":7}')).toMatchObject({
      'timestamp, "." and the body': '7.{"timestamp":7}',
    });
    expect(textsOf('{"timestamp":"7"}')).toMatchObject({
      'timestamp, "." and the body': '7.{"timestamp":"7"}',
    });
    expect(Object.keys(textsOf('{"timestamp":null}')).join()).not.toContain('timestamp,');
  });

  it.each(['12345678', '12345678901234567890', 'a1760000041', '1760000041s'])('%s is no time', (value) => {
    expect(Object.keys(textsOf('{}', [['X-Time', value]])).join()).not.toContain('X-Time');
  });

  it.each([
    ['Id', true],
    ['X-Delivery', true],
    ['Valid', false],
    ['X-Ids', false],
  ])('%s names an id: %s', (name, is) => {
    const texts = textsOf('{"timestamp":7}', [[name, 'evt_1']]);
    expect(Object.keys(texts).some((what) => what.startsWith(`${name}, `))).toBe(is);
  });

  it('is one of the first eight of each, whatever a sender makes of its headers', () => {
    const headers = Array.from({ length: 12 }, (_, at): readonly Header[] => [
      [`T${at}`, String(1_760_000_000 + at)],
      [`X${at}-Id`, `evt_${at}`],
    ]).flat();
    const names = Object.keys(textsOf('{}', headers));
    expect(names.filter((what) => /^T\d+ and the body$/.test(what))).toHaveLength(8);
    expect(names.filter((what) => /^X\d+-Id, T0 .*"\."$/.test(what))).toHaveLength(8);
  });
});
