import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Masker, maskerOf } from './masker.ts';
import { apiKey, around, coated } from './testing/coated.ts';
import { stars } from './wholes.ts';

const withStars = (text: string, secret: string) => maskerOf([{ secret, maskOf: stars }]).mask(text);
const named = (secret: string): Masker => maskerOf([{ secret, maskOf: () => '[key]' }]);

const bytesOf = (text: string) => new TextEncoder().encode(text);
const base64Of = (text: string) => btoa(String.fromCharCode(...bytesOf(text)));
const hexOf = (text: string) => [...bytesOf(text)].map((byte) => byte.toString(16).padStart(2, '0'));

describe('a key', () => {
  const secret = 'aB3/"x+Yz&9<';

  it.each([
    ['as it is', `Bearer ${secret}.`, 'Bearer [key].'],
    ['in capitals', secret.toUpperCase(), '[key]'],
    ['in JSON', JSON.stringify({ echo: secret }), '{"echo":"[key]"}'],
    ['in JSON as PHP writes it', JSON.stringify(secret).replaceAll('/', '\\/'), '"[key]"'],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(secret)), '"\\"[key]\\""'],
    ['in JSON as .NET writes it', '"aB3/\\u0022x\\u002BYz\\u00269\\u003c"', '"[key]"'],
    ['in a URL', `?k=${encodeURIComponent(secret)}&x`, '?k=[key]&x'],
    ['in a URL in small letters', `?k=${encodeURIComponent(secret).toLowerCase()}&x`, '?k=[key]&x'],
    ['in a URL within a URL', `?u=${encodeURIComponent(encodeURIComponent(secret))}&x`, '?u=[key]&x'],
    ['in HTML', '<b>aB3/&quot;x+Yz&amp;9&lt;</b>', '<b>[key]</b>'],
    ['in HTML by numbers', 'aB3&#x2F;&#34;x&#043;Yz&#38;9&LT;!', '[key]!'],
    ['in HTML by names', 'aB3&sol;&quot;x&plus;Yz&amp;9&lt;!', '[key]!'],
    ['in a Python literal', String.raw`b'aB3\x2f"x\053Yz&9<'`, "b'[key]'"],
    ['in hex', `0x${hexOf(secret).join('')}!`, '0x[key]!'],
    ['in hex with colons', hexOf(secret).join(':').toUpperCase(), '[key]'],
    ['as a buffer of Node', `[7,${[...bytesOf(secret)].join(',')},8]`, '[7,[key],8]'],
    ['in base64', base64Of(secret), '[key]'],
    ['in base64 behind a word', ` ${base64Of(`Bearer ${secret}`)} `, ' QmVhcmVyI[key]== '],
    ['in base64 of a URL', base64Of(`u:${encodeURIComponent(secret)}`), 'dT[key]'],
    ['in base64 of JSON', base64Of('{"a":"Bearer aB3/\\"x+Yz&9<"}'), 'eyJhIjoiQmVhcmVyI[key]ifQ=='],
    [
      'in base64 of JSON as PHP writes it',
      base64Of('{"a":"Bearer aB3\\/\\"x+Yz&9<"}'),
      'eyJhIjoiQmVhcmVyI[key]In0=',
    ],
    [
      'in base64 of a URL in small letters',
      base64Of(`u:${encodeURIComponent(secret).replace(/%../g, (one) => one.toLowerCase())}`),
      'dT[key]',
    ],
    ['in base64 in JSON', JSON.stringify(base64Of(secret)).replaceAll('/', '\\/'), '"[key]"'],
    ['twice', secret + secret, '[key][key]'],
    ['cut off', `${secret.slice(0, 7)}`, '[key]'],
    ['cut off in an escape', 'aB3\\/\\"x+\\u005', '[key]'],
  ])('is masked %s', (_how, text, clean) => {
    expect(named(secret).mask(text)).toBe(clean);
  });

  it('is masked where a blank of it is a plus, as in forms', () => {
    expect(named('my secret key').mask('a=my+secret+key&b')).toBe('a=[key]&b');
  });

  it('is masked as bytes where some of them have one digit', () => {
    const tabbed = 'my\tsecret';
    expect(named(tabbed).mask(`0x${hexOf(tabbed).join('')}!`)).toBe('0x[key]!');
    expect(named(tabbed).mask(`[${[...bytesOf(tabbed)].join(',')}]`)).toBe('[[key]]');
  });

  it('is masked where letters before it have no small form of one character', () => {
    expect(named(secret).mask(`\u0130\u0130${secret}!`)).toBe('\u0130\u0130[key]!');
  });

  it('is masked where it is all there is', () => {
    expect(named('secret').mask('secret')).toBe('[key]');
  });

  it('is masked where base64 is broken into lines', () => {
    const long = `sk_${'0123456789abcdef'.repeat(8)}`;
    const lines = base64Of(`Bearer ${long}`).replace(/.{76}/g, '$&\r\n');
    expect(named(long).mask(`${lines} end`)).toBe('QmVhcmVyI[key] end');
  });

  it('gives nothing of its last bits away', () => {
    expect(named('secret').mask(base64Of('secret?'))).toBe('[key]Pw==');
    expect(named('secrets').mask(base64Of('a secrets.'))).toBe('YS[key]Lg==');
  });

  it('leaves what is not the key', () => {
    for (const text of ['', 'nothing', '{"a":"b\\n"}', '100 %', '&amp;', 'aB3/', '\\', '%', '&#x']) {
      expect(named(secret).mask(text)).toBe(text);
    }
  });
});

describe('stars', () => {
  it.each([
    ['as it is', 'Bearer a"b/c', 'Bearer *****'],
    ['in JSON', JSON.stringify('a"b/c'), '"******"'],
    ['in a URL', `?k=${encodeURIComponent('a"b/c')}&x`, '?k=*********&x'],
    ['twice', 'a"b/ca"b/c', '**********'],
  ])('are as many as the characters of a short key %s', (_how, text, clean) => {
    expect(withStars(text, 'a"b/c')).toBe(clean);
  });

  it('stand for a short key, also in a short text and beside a long key', () => {
    const { mask } = maskerOf(['aBc', 'a long secret'].map((secret) => ({ secret, maskOf: stars })));
    expect(['aBc', 'aB', 'abc', 'a long secret'].map(mask)).toEqual(['***', 'aB', 'abc', '*************']);
  });

  it('stand for nothing where the key is empty', () => {
    expect(withStars('text', '')).toBe('text');
  });
});

const runs = { numRuns: 400 };

describe('any key', () => {
  it('is masked whole in any mixture of escapes and letters', () => {
    fc.assert(
      fc.property(coated, around, around, ({ secret, text }, before, after) => {
        expect(named(secret).mask(before + text + after)).toBe(`${before}[key]${after}`);
      }),
      runs,
    );
  });

  it('is masked by stars that keep the length', () => {
    fc.assert(
      fc.property(coated, around, around, ({ secret, text }, before, after) => {
        expect(withStars(before + text + after, secret)).toBe(before + '*'.repeat(text.length) + after);
      }),
      runs,
    );
  });

  it('is masked in base64 and hex, behind and before anything', () => {
    fc.assert(
      fc.property(apiKey, around, around, (secret, before, after) => {
        const { mask } = named(secret);
        const whole = base64Of(before + secret + after);
        const cleaned = mask(whole);
        expect(cleaned).toContain('[key]');
        const [head = '', tail = ''] = cleaned.split('[key]');
        // What is left holds nothing but the bytes around.
        const headMax = Math.floor((bytesOf(before).length * 4) / 3);
        expect(head.length).toBeLessThanOrEqual(headMax);
        // A part of the key may be spelt like another one, a place earlier.
        expect(head.length).toBeGreaterThan(headMax - 3);
        const left = tail.replaceAll('=', '').length;
        expect(left).toBeLessThanOrEqual(Math.ceil((bytesOf(after).length * 4) / 3));
        expect(mask(whole.replaceAll('+', '-').replaceAll('/', '_'))).toContain('[key]');
        expect(mask(hexOf(before + secret + after).join(''))).toContain('[key]');
      }),
      runs,
    );
  });

  it('gives nothing away where the text is cut', () => {
    fc.assert(
      fc.property(coated, around, fc.nat(), ({ secret, text }, before, cut) => {
        const whole = before + text;
        const kept = whole.slice(0, before.length + (cut % text.length));
        const cleaned = named(secret).mask(kept);
        // At most five of its characters, each in the longest of its escapes, and the beginning of another.
        if (cleaned === kept) expect(kept.length - before.length).toBeLessThan(7 * 9);
        else expect(cleaned).toBe(`${before}[key]`);
      }),
      runs,
    );
  });
});

describe('where a secret may go on', () => {
  const unfinishedFrom = (text: string, ...secrets: readonly string[]) =>
    maskerOf(secrets.map((secret) => ({ secret, maskOf: stars }))).unfinishedFrom(text);
  const secret = 'sk_live_1234567890';

  it.each([
    [`${secret} `, secret.length + 1],
    [`${secret}.sk_li`, secret.length + 1],
    [`${secret}sk_li`, secret.length],
    [`a ${secret}`, 2],
    ['100 %', 4],
    ['a line\n', 7],
    ['"50%20of everything there is". ', 31],
    ['a sk_live\r', 2],
    ['a b', 2],
  ])('%j goes on from %i', (text, from) => {
    expect(unfinishedFrom(text, secret)).toBe(from);
  });

  it('is before all secrets that overlap', () => {
    expect(unfinishedFrom('abcdefghijkl', 'abcdefgh', 'efghijkl')).toBe(0);
  });

  it('is before a short one too', () => {
    expect(unfinishedFrom('a:xy', 'xyz')).toBe(2);
  });
});
