import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { verifySignature } from './verify-signature.ts';

const secret = "It's a Secret to Everybody";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hmac = (text: string, key: string | Uint8Array = secret) => createHmac('sha256', key).update(text);

const body = '{"event": "message.read", "timestamp": 1760000040, "data": {}}';

function verified(value: string, { secrets = [secret], text = body } = {}) {
  return verifySignature({ body: bytes(text), value, secrets, headers: [], path: '/hooks' });
}

test('a published vector verifies', () => {
  const value = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  expect(verified(value, { text: 'Hello, World!' })).toMatchObject({
    verifies: true,
    form: null,
    advice: [],
  });
});

test('either secret verifies while one is rotated, and the right values are those of both', () => {
  const value = `sha256=${hmac(body).digest('hex')}`;
  const { verifies, fit, right } = verified(value, { secrets: ['new', secret] });
  expect(verifies).toBe(true);
  expect(fit?.secret).toBe(2);
  expect(right).toEqual([`sha256=${hmac(body, 'new').digest('hex')}`, value]);
});

describe('what does not verify says why', () => {
  const hex = hmac(body).digest('hex');

  it.each([
    [
      're-serialised JSON',
      `sha256=${hmac(JSON.stringify(JSON.parse(body))).digest('hex')}`,
      'sign the exact bytes',
    ],
    ['base64', `sha256=${hmac(body).digest('base64')}`, 'lower-case hex'],
    ['upper case', `sha256=${hex.toUpperCase()}`, 'lower-case hex'],
    ['no HMAC', `sha256=${createHash('sha256').update(body).digest('hex')}`, 'use HMAC-SHA256'],
    ['a line break in the secret', `sha256=${hmac(body, `${secret}\n`).digest('hex')}`, 'nothing added'],
    ['another secret', `sha256=${hmac(body, 'other').digest('hex')}`, 'another secret is likely'],
    ['another body', `sha256=${hmac(`${body} `).digest('hex')}`, 'an editor may have added'],
    [
      'cut off',
      `sha256=${hex.slice(0, 60)}`,
      '60 digits of hex are not a digest of SHA-256, which has 64: was it cut off, or',
    ],
    [
      'a digit too many',
      `sha256=${hex}a`,
      '65 digits of hex are not a digest of SHA-256, which has 64: was it cut off, or',
    ],
  ])('%s', (_what, value, says) => {
    const { verifies, advice } = verified(value);
    expect(verifies).toBe(false);
    expect(advice.join('\n')).toContain(says);
  });

  it('a file that ends with a line break which was not signed', () => {
    const { advice } = verified(`sha256=${hex}`, { text: `${body}\n` });
    expect(advice).toEqual([expect.stringContaining('line break at the end')]);
  });

  it('a file that begins with a byte order mark which was not signed', () => {
    const { advice } = verified(`sha256=${hex}`, { text: `\ufeff${body}` });
    expect(advice).toEqual([expect.stringContaining('byte order mark (BOM) at the beginning')]);
  });

  it('a byte order mark hides nothing that the body says, and is no part of it elsewhere', () => {
    const text = `\ufeff{"timestamp":7}`;
    expect(verified(`sha256=${hmac(`7.${text}`).digest('hex')}`, { text }).fit).toMatchObject({
      over: 'timestamp, "." and the body',
    });
    const compact = '{"a":"\ufeff"}';
    expect(
      verified(`sha256=${hmac(compact).digest('hex')}`, { text: '{ "a": "\ufeff" }' }).fit,
    ).toMatchObject({ over: 'the JSON written anew, compact' });
  });

  it('a quotation mark within the signature is no quotes around it', () => {
    expect(verified(`sha256=${hex}"`).form).toBeNull();
  });

  it.each([
    ['', 'it is empty'],
    ['sha256=', 'nothing follows'],
    [hex, 'no "sha256="'],
    [`sha1=${hex}`, 'begins with "sha1="'],
    [` sha256=${hex}`, 'white space around it'],
  ])('%j by its form', (value, says) => {
    expect(verified(value)).toMatchObject({ verifies: false, form: expect.stringContaining(says) });
  });

  it.each([
    [`xsha256=${hex}`, 'begins with "xsha256="'],
    [`?sha1=${hex}`, 'no "sha256="'],
    [`?sha256=${hex}`, 'no "sha256="'],
  ])('%j by what stands before it', (value, says) => {
    expect(verified(value)).toMatchObject({ verifies: false, form: expect.stringContaining(says) });
  });

  it('what may be wrong besides, where nothing fits', () => {
    expect(verified('').advice).toEqual([]);
    expect(verified(`?sha256=${hex}`).advice[0]).toBe('72 characters of an unknown form');
    expect(verified(`sha256=${hmac(body, 'other').digest('hex')}`).advice).toHaveLength(3);
  });

  it('what stands between blanks is tried without them', () => {
    expect(verified(` sha256=${hex}\n`).fit).not.toBeNull();
  });

  it('what is right but for its form needs no other advice', () => {
    expect(verified(hex).advice).toEqual([]);
    expect(verified(hex).fit).not.toBeNull();
  });
});
