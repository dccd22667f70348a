import { describe, expect, it } from 'vitest';
import { delivery, eventText, saidBy, textOf } from './testing/deliveries.ts';
import { judgeEncodings, judgeOtherData } from './texts.ts';

describe('how text is written', () => {
  const written = (...texts: readonly string[]) =>
    textOf(
      saidBy(
        judgeEncodings,
        texts.map((text, at) => delivery(at, text)),
      ),
    );

  it.each([
    ['{"a":"ü"}', 'non-ASCII raw, compact'],
    ['{"a":"\\u00fc"}', 'non-ASCII escaped, compact'],
    ['{"a":"\\u0416"}', 'non-ASCII escaped, compact'],
    ['{"a":"\\u4f60"}', 'non-ASCII escaped, compact'],
    ['{"a":"\\u0041\\u000a"}', 'compact'],
    ['{"a":"b/c"}', '"/" raw, compact'],
    ['{"a":"b\\/c"}', '"/" escaped, compact'],
    ['{"a":"<b>"}', '"<" raw, compact'],
    ['{"a":"\\u003Cb>"}', '"<" escaped, compact'],
    ['{"a": "b"}', 'spaces between parts'],
    ['{"a":"b", "c":1}', 'spaces between parts'],
    ['{"a":"b: c, d"}', 'compact'],
    ['{"a":"\\"b\\": c"}', 'compact'],
    ['{ "a":"b" }', 'compact'],
    ['{\n  "a":"b"\n}', 'indented'],
    ['{"a":1,\n"b":2}', 'compact'],
    ['\ufeff{"a":1}', 'non-ASCII raw, compact, begins with a byte order mark'],
    ['{"a":"\ufeff"}', 'non-ASCII raw, compact'],
    ['{"a":1}\n', 'compact, ends with a line break'],
    ['{"a":12345678901234567}', 'compact, integers above 2⁵³, which a double cannot hold'],
    ['{"a":-12345678901234567}', 'compact, integers above 2⁵³, which a double cannot hold'],
    ['{"a":9007199254740992}', 'compact'],
    ['{"a":[9007199254740992,9007199254740993]}', 'compact, integers above 2⁵³, which a double cannot hold'],
    ['{"a":"12345678901234567"}', 'compact'],
    ['{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}', 'compact'],
    ['{"a":1,"b":2,"a":3}', 'compact, "a" twice in one object'],
    ['{"b":{"x":[1,"y",{}],"x":"}"}}', 'compact, "x" twice in one object'],
    ['{"b":["x","y","y"]}', 'compact'],
    ['{"b":["x","x"],"c":"b"}', 'compact'],
    ['{"a":1,,,"b":2}', 'compact'],
    ['{"a":1795316115.0}', 'compact, integers written with a fraction or an exponent (1795316115.0)'],
    ['{"a":1.795316115e9}', 'compact, integers written with a fraction or an exponent (1.795316115e9)'],
    ['{"a":17e8}', 'compact, integers written with a fraction or an exponent (17e8)'],
    ['{"a":1795316115.5,"b":"1.0"}', 'compact'],
  ])('%j: %s', (text, says) => {
    expect(written(text)).toBe(says);
  });

  it('is told of all bodies together', () => {
    expect(written('{"a":1}', '{"a": 1}')).toBe('spaces between parts');
    expect(written('{"a":1}', '{\n "a": 1}')).toBe('indented');
    expect(written('{"a":"b/c"}', '{"a":"b\\/c"}')).toBe('"/" both raw and escaped, compact');
    expect(written()).toBe('inconclusive: no delivery arrived with its whole body');
  });

  it('is told in so many words, whatever names and codings a sender makes up', () => {
    const long = 'x'.repeat(60);
    expect(written(`{"${long}":1,"${long}":2}`)).toBe(`compact, "${'x'.repeat(41)} twice in one object`);
    expect(written(`{"a":1.${'0'.repeat(60)}}`)).toContain(`exponent (1.${'0'.repeat(38)})`);
    const named = Array.from({ length: 20 }, (_, at) => `{"f${at}":1,"f${at}":2}`);
    expect(written(...named).match(/"f\d+"/g)).toHaveLength(12);
    const coded = Array.from({ length: 20 }, (_, at) =>
      delivery(at, 'no JSON', {
        headers: [
          ['X-Service-Signature', 'sha256=00'],
          ['Content-Encoding', `${at} ${long}`],
        ],
      }),
    );
    const codings = textOf(saidBy(judgeEncodings, coded)).match(/(?<=Content-Encoding: )[^)]*/g) ?? [];
    expect(codings).toEqual(Array.from({ length: 12 }, (_, at) => `${at} ${long}`.slice(0, 40)));
  });

  it('is told where bytes are no text', () => {
    const bytes = delivery(0, '', { body: { base64: '/w==' }, bodyBytes: 1 });
    expect(textOf(saidBy(judgeEncodings, [bytes, delivery(1, '{}')]))).toContain('bytes that are not UTF-8');
  });
});

describe('what else events hold', () => {
  const held = (...texts: readonly string[]) =>
    textOf(
      saidBy(
        judgeOtherData,
        texts.map((text, at) => delivery(at, text)),
      ),
    );
  const data = (event: string, fields: object) => JSON.stringify({ event, timestamp: 1, data: fields });

  it('is named by kind, with what is no text', () => {
    expect(
      held(
        data('message.sent', { id: 'a', status: 'sent', at: 7, gone: null, parts: [], error: {} }),
        data('message.sent', { id: 'b', more: true }),
        data('message.delivered', { to: 'c', status: 8 }),
        data('message.failed', { why: 'd' }),
        data('message.read', { left: 'out' }),
      ),
    ).toBe(
      'sent: id, status "sent", at (number), gone (null), parts (list), error (object), more (boolean); ' +
        'delivered: to, status (number); failed: why',
    );
  });

  it('is cut, as names, values and their number are whatever a sender makes them', () => {
    const long = 'x'.repeat(50);
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, 'a']));
    expect(held(data('message.sent', { [long]: 'a', status: long }))).toBe(
      `sent: ${'x'.repeat(40)}, status "${'x'.repeat(40)}"`,
    );
    expect(held(data('message.sent', many)).split(', ')).toHaveLength(12);
    const types = Array.from({ length: 20 }, (_, at) => data('message.received', { type: `${at}${long}` }));
    expect(held(...types).split(', ')).toHaveLength(12);
    expect(held(types[0] ?? '')).toBe(`types 0${'x'.repeat(39)}`);
  });

  it('are types other than text, of what customers sent', () => {
    const typed = (event: string, type: unknown) => data(event, { type });
    expect(
      held(
        typed('message.received', 'image'),
        typed('message.received', 'text'),
        typed('message.received', 7),
        typed('message.read', 'video'),
      ),
    ).toBe('types image');
    const nothing = 'inconclusive: no message.sent, .delivered or .failed arrived';
    expect(held(eventText('message.received', 'msg_1'))).toBe(nothing);
    expect(held(data('message.sent', {}))).toBe(nothing);
  });
});
