import { describe, expect, it } from 'vitest';
import { type SignedDelivery, sign, verify } from './sign.ts';

const body = '{"event":"message.sent"}';
const signature = sign('secret', body);

/** What somebody gives whose language has no types. */
const given = (delivery: object) => () =>
  verify({ body, signature, secret: 'secret', ...delivery } as SignedDelivery);

describe('a signature', () => {
  it('is verified by text and by bytes, with one secret or several', () => {
    expect(verify({ body: Buffer.from(body), signature, secret: ['other', 'secret'] })).toBe(true);
    expect(verify({ body, signature, secret: '' })).toBe(false);
    expect(verify({ body, signature: undefined, secret: 'secret' })).toBe(false);
  });

  it.each([
    [{ secret: undefined }, 'secret is undefined, and has to be a text'],
    [{ secret: ['secret', undefined] }, 'secret is undefined, and has to be a text'],
    [
      { body: JSON.parse(body) },
      'body is an object, and has to be text or bytes as they came, before anything parses them',
    ],
    [{ body: undefined }, 'body is undefined, and has to be'],
  ])('is not verified by what cannot be used, which is named: %j', (wrong, message) => {
    expect(given(wrong)).toThrow(new RegExp(`^${message}`));
  });

  it.each([[undefined], [null], [body]])('is not verified where %j is all that is given', (all) => {
    const said = /^verify takes one object: verify\(\{ body, signature, secret \}\)/;
    expect(() => verify(all as unknown as SignedDelivery)).toThrow(said);
  });

  it.each([[['sha256=a']], [5], [{}]])('is none where it is %j', (other) => {
    expect(given({ signature: other })()).toBe(false);
  });

  it('is not made with an empty secret, or none', () => {
    expect(() => sign('', body)).toThrow('secret is empty: everybody could sign so.');
    expect(() => sign(undefined as unknown as string, body)).toThrow(
      'secret is undefined, and has to be a text',
    );
    expect(() => sign('secret', {} as unknown as string)).toThrow('body is an object');
  });
});
