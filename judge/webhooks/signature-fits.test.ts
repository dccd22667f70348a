import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { parseBody } from '../../contract/error-body.ts';
import { goalsOf } from './digests.ts';
import { judgeWebhooks } from './judge-webhooks.ts';
import { judgeSignature, signatureOfOne } from './signature.ts';
import { fitAmong, isConventional, likelyCause, type SignatureFit, signatureFit } from './signature-fits.ts';
import { delivery, eventText, saidBy, traceOf } from './testing/deliveries.ts';

const secret = 'c2VjcmV0LW9mLWEtdGVzdA==';

function fitting(
  signature: string,
  text: string,
  headers: readonly (readonly [string, string])[] = [],
): SignatureFit | null {
  const bytes = Buffer.from(text);
  return signatureFit({
    value: signature,
    method: 'POST',
    secrets: [secret],
    bytes,
    text,
    parsed: parseBody(text),
    headers,
    path: '/hooks',
  });
}

const hmac = (key: string | Buffer, text: string, name = 'sha256') => createHmac(name, key).update(text);

test('a published vector', () => {
  const text = 'Hello, World!';
  const found = signatureFit({
    method: 'POST',
    value: '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    secrets: ['wrong', "It's a Secret to Everybody"],
    bytes: Buffer.from(text),
    text,
    parsed: parseBody(text),
    headers: [],
    path: '/',
  });
  expect(found).toMatchObject({ algorithm: 'HMAC-SHA256', secret: 2, encoding: 'lower-case hex' });
  expect(found !== null && isConventional(found)).toBe(true);
});

describe('computations in use', () => {
  const text = '{"event": "message.read", "timestamp": 1760000040, "data": {"text": "ü/"}}';
  const compact = JSON.stringify(JSON.parse(text));
  const time = ['X-Request-Timestamp', '1760000041'] as const;
  const id = ['Webhook-Id', 'evt_1'] as const;

  test.each([
    ['hex in capitals', hmac(secret, text).digest('hex').toUpperCase(), { encoding: 'upper-case hex' }],
    ['base64', hmac(secret, text).digest('base64'), { encoding: 'base64' }],
    ['base64url', hmac(secret, text).digest('base64url'), { encoding: 'base64url' }],
    ['compact JSON', hmac(secret, compact).digest('hex'), { over: 'the JSON written anew, compact' }],
    [
      'escaped JSON',
      hmac(secret, compact.replace('ü', '\\u00fc')).digest('hex'),
      { over: 'the JSON written anew, compact, non-ASCII escaped' },
    ],
    [
      'PHP',
      hmac(secret, compact.replace('ü', '\\u00fc').replace('/', '\\/')).digest('hex'),
      { over: 'the JSON written anew, compact, "/" and non-ASCII escaped (as PHP does)' },
    ],
    [
      'Python',
      hmac(secret, text.replace('ü', '\\u00fc')).digest('hex'),
      { over: 'the JSON written anew, with spaces (as Python does), non-ASCII escaped' },
    ],
    ['data', hmac(secret, '{"text":"ü/"}').digest('hex'), { over: 'data alone' }],
    [
      'a timestamp',
      hmac(secret, `1760000040.${text}`).digest('hex'),
      { over: 'timestamp, "." and the body' },
    ],
    [
      'the time of a header',
      hmac(secret, `1760000041.${text}`).digest('hex'),
      { over: 'X-Request-Timestamp, "." and the body' },
    ],
    [
      'Standard Webhooks',
      hmac(Buffer.from(secret, 'base64'), `evt_1.1760000041.${text}`).digest('base64'),
      {
        key: 'the secret decoded from base64',
        over: 'Webhook-Id, X-Request-Timestamp and the body, joined by "."',
      },
    ],
    [
      'no secret',
      createHash('sha256').update(text).digest('hex'),
      { algorithm: 'plain SHA-256, without the secret' },
    ],
    ['SHA-512', hmac(secret, text, 'sha512').digest('hex'), { algorithm: 'HMAC-SHA512' }],
    ['SHA-1', hmac(secret, text, 'sha1').digest('hex'), { algorithm: 'HMAC-SHA1' }],
    [
      'a secret read with its line break',
      hmac(`${secret}\n`, text).digest('hex'),
      { key: 'the secret with a line break after it' },
    ],
  ])('%s', (_what, signature, expected) => {
    const found = fitting(signature, text, [time, id]);
    expect(found).toMatchObject(expected);
    expect(found !== null && isConventional(found)).toBe(false);
  });
});

describe('of several computations that fit', () => {
  const text = 'no JSON';
  const sha512 = (key: string, of: string) => hmac(key, of, 'sha512').digest('hex');
  const inOrder = [
    hmac(secret, text).digest('hex'),
    secret,
    hmac(secret, '').digest('hex'),
    sha512(secret, text),
    hmac(`${secret}\n`, text).digest('hex'),
    hmac(`${secret}\n`, '').digest('hex'),
    sha512(secret, ''),
  ];

  it('the most ordinary one is found', () => {
    for (const [at, signature] of inOrder.entries()) {
      const found = fitting(signature, text);
      expect(found).not.toBeNull();
      for (const other of inOrder.slice(at + 1))
        expect(fitting(`a=${other}, b=${signature}`, text)).toEqual(found);
    }
  });

  it('the secret itself is named, which nothing is computed of', () => {
    const [algorithm, over, encoding] = ['no computation', 'nothing', 'the secret itself'];
    expect(fitting(secret, text)).toEqual({
      algorithm,
      key: 'the secret as it is',
      secret: 1,
      over,
      encoding,
    });
  });

  it('none departs in its algorithm, its key and its text', () => {
    expect(fitting(sha512(`${secret}\n`, ''), text)).toBeNull();
    expect(fitting(sha512(`${secret}\n`, text), text)).toMatchObject({ algorithm: 'HMAC-SHA512' });
  });

  it('none is looked for once so many bytes are hashed', () => {
    const algorithm = { algorithm: 'none', digest: (_key: Uint8Array, of: Uint8Array) => Buffer.from(of) };
    const key = { key: 'one', bytes: Buffer.alloc(0), secret: 1 };
    const texts = ['abcd', 'efgh', 'ijkl'].map((what) => ({ what, bytes: Buffer.from(what) }));
    const among = { goals: goalsOf(Buffer.from('ijkl').toString('hex')), texts };
    for (const [keys, computations] of [
      [1, 1],
      [3, 1],
      [1, 3],
      [2, 3],
    ] as const) {
      const keyed = Array.from({ length: keys }, () => key);
      const computed = Array.from({ length: computations }, () => algorithm);
      const hashed = 8 * keys * computations;
      expect(fitAmong({ ...among, keyed, computed }, hashed)?.over).toBe('ijkl');
      expect(fitAmong({ ...among, keyed, computed }, hashed - 1)).toBeNull();
    }
  });
});

describe('a secret', () => {
  const text = '{}';
  const keyOf = (given: string, key: string | Buffer) =>
    signatureFit({
      method: 'POST',
      value: hmac(key, text).digest('hex'),
      secrets: [given],
      bytes: Buffer.from(text),
      text,
      parsed: parseBody(text),
      headers: [],
      path: '/',
    })?.key ?? null;

  it.each([
    [' a secret\n', 'a secret', 'the secret without the white space around it'],
    ['whsec_c2VjcmV0LW9m', 'c2VjcmV0LW9m', 'the secret without "whsec_"'],
    ['whsec_c2VjcmV0LW9m', Buffer.from('secret-of'), 'the secret decoded from base64'],
    ['c2VjcmV0LW8=', Buffer.from('secret-o'), 'the secret decoded from base64'],
    ['c2VjcmV0', Buffer.from('secret'), 'the secret decoded from base64'],
    ['c2VjcmV', Buffer.from('secre'), null],
    ['c2VjcmV0!', Buffer.from('secret'), null],
    ['!c2VjcmV0', Buffer.from('!c2VjcmV0', 'base64'), null],
    ['00ffA0', Buffer.from([0, 255, 160]), 'the secret decoded from hex'],
    ['00ffA', Buffer.from([0, 255]), null],
    ['00ff!', Buffer.from([0, 255]), null],
    ['a whsec_b', 'a b', null],
    ['!00ff', Buffer.alloc(0), null],
    ['"a"x', 'ax', null],
    ['x"a"', 'xa', null],
    [`"a'`, 'a', null],
    ['xax', 'a', null],
  ])('%j may be taken for %j', (given, key, says) => {
    expect(keyOf(given, key)).toBe(says);
  });
});

describe('a digest', () => {
  const encodingOf = (signature: string) => fitting(signature, '{"a":"}"}')?.encoding ?? null;
  const digest = (name = 'sha256') => hmac(secret, '{"a":"}"}', name);
  const hex = digest().digest('hex');

  it.each([
    [hex, 'lower-case hex'],
    [hex.toUpperCase(), 'upper-case hex'],
    [`${hex.slice(0, 32).toUpperCase()}${hex.slice(32)}`, 'hex of mixed case'],
    [digest().digest('base64'), 'base64'],
    [digest('sha512').digest('base64'), 'base64'],
    [digest('sha512').digest('base64').replaceAll('=', ''), 'base64 without padding'],
    [`${digest('sha512').digest('base64url')}==`, 'base64url'],
    [digest('sha512').digest('base64url'), 'base64url'],
    [digest('sha384').digest('base64'), 'base64'],
    [`0X${hex.toUpperCase()}`, 'hex with signs between'],
    [hex.slice(0, 16), 'the first 16 digits of hex'],
    [hex.slice(0, 63).toUpperCase(), 'the first 63 digits of hex'],
    [hex.slice(0, 15), null],
    [Buffer.from(hex.toUpperCase()).toString('base64'), 'base64 of the hex digits'],
    [`=${digest().digest('base64')}`, null],
    [`=${digest('sha384').digest('base64')}`, null],
    [`${digest('sha384').digest('base64')}A`, null],
    [`?${digest('sha384').digest('base64url')}`, null],
    [`${hex}0`, null],
    [`??${hex}`, null],
    [`${hex}??`, null],
  ])('%s is read', (signature, encoding) => {
    expect(encodingOf(signature)).toBe(encoding);
  });
});

test.each([
  ['a'.repeat(128), 'SHA-512'],
  ['a'.repeat(96), 'it has the form of SHA-384'],
  [`?${'a'.repeat(64)}`, '65 characters of an unknown form'],
  ['-'.repeat(43), 'SHA-256 in base64'],
  [`?${'A'.repeat(43)}=`, '45 characters of an unknown form'],
  [`${'Z'.repeat(43)}=?`, '45 characters of an unknown form'],
  ['a'.repeat(64), 'another secret is likely'],
  ['a'.repeat(40), 'SHA-1'],
  ['a'.repeat(63), 'was it cut off, or something added?'],
  [`${'A'.repeat(43)}=`, 'SHA-256 in base64'],
  ['?', 'one character of an unknown form'],
  ['a', 'one digit of hex is not a digest of SHA-256'],
  ['ab', '2 digits of hex are not a digest of SHA-256'],
])('%s: %s', (signature, cause) => {
  expect(fitting(signature, '{}')).toBeNull();
  expect(likelyCause(signature)).toContain(cause);
});

test('two secrets are distinguished while one is rotated, and an unknown one is counted', () => {
  const signedBy = (at: number, key: string) => {
    const text = eventText('message.sent', `msg_${at}`);
    return delivery(at, text, {
      headers: [['x-service-signature', `sha256=${createHmac('sha256', key).update(text).digest('hex')}`]],
    });
  };
  const trace = traceOf([
    signedBy(0, 'old'),
    signedBy(1, 'new'),
    signedBy(2, 'new'),
    signedBy(3, 'stranger'),
  ]);
  const verdict = saidBy(judgeSignature, trace.deliveries, { secrets: ['old', 'new'] });
  expect(verdict.kind === 'observed' ? verdict.value.split('; ') : []).toEqual([
    'HMAC-SHA256 over the exact bytes of the body, by the secret as it is (secret 1), as lower-case hex: 1 of 4',
    'HMAC-SHA256 over the exact bytes of the body, by the secret as it is (secret 2), as lower-case hex: 2 of 4',
    'no computation in common use fits 1: it has the form of SHA-256 in hex, so another secret is likely',
  ]);
});

describe('what was observed of signatures', () => {
  const signed = (text: string, value: string) =>
    delivery(0, text, { headers: [['X-Service-Signature', value]] });
  const said = (deliveries: Parameters<typeof traceOf>[0], secrets: readonly string[]) => {
    const verdict = saidBy(judgeSignature, deliveries, { secrets });
    return verdict.kind === 'observed' ? verdict.value : verdict.kind;
  };
  const hex = hmac(secret, '{}').digest('hex');

  test('is their form where no secret is known', () => {
    expect(said([signed('{}', `sha256=${hex}`)], [])).toBe(
      'not verified: no secret was given; it has the form of SHA-256 in hex',
    );
    expect(said([delivery(0, '{}', { headers: [] })], [secret])).toBe('inconclusive');
  });

  test('is the computation alone where one secret gives all', () => {
    for (const value of [hex, `sha256=${hex}`, `V1=${hex}`])
      expect(said([signed('{}', value)], [secret])).toBe(
        'HMAC-SHA256 over the exact bytes of the body, by the secret as it is, as lower-case hex: 1 of 1',
      );
    expect(said([signed('{}', `t=1,v1=${hex}`)], [secret])).toContain('the exact bytes of the body');
  });

  test('is how many deliveries a secret signed, where one is known', () => {
    const all = [
      signed('{}', hex),
      signed('{}', `sha256=${hex}`),
      signed('{}', '0'),
      delivery(1, '{"event":"message.x"}', { headers: [] }),
    ];
    const counts = (secrets: readonly string[]) =>
      judgeWebhooks(traceOf(all), { secrets, meanwhile: null }).signatures;
    expect(counts([])).toBeNull();
    expect(counts([secret])).toEqual({ whole: 4, fitting: 2 });
  });

  test('is the computation of one delivery, or what its signature looks like', () => {
    const one = signed('{}', `sha256=${hex}`);
    expect(signatureOfOne(one, [secret])).toEqual({
      kind: 'fits',
      text: 'HMAC-SHA256 over the exact bytes of the body, by the secret as it is, as lower-case hex',
    });
    expect(signatureOfOne(one, ['other'])).toEqual({
      kind: 'fits-not',
      text: 'no computation in common use fits 1: it has the form of SHA-256 in hex, so another secret is likely',
    });
    expect(signatureOfOne(one, [])).toBeNull();
    expect(signatureOfOne({ ...one, headers: [] }, [secret])).toBeNull();
    expect(signatureOfOne({ ...one, completeMs: null }, [secret])).toBeNull();
  });

  test('is not searched for ever', () => {
    const wrong = Array.from({ length: 25 }, (_, at) => signed(`{"a":${at}}`, '0'.repeat(64)));
    expect(said(wrong, [secret])).toContain('no computation in common use fits at least 20: ');
    expect(said(wrong.slice(0, 19), [secret])).toContain('no computation in common use fits 19: ');
    expect(said([...wrong.slice(0, 20), signed('{}', hex)], [secret])).not.toContain('HMAC');
    expect(said([...wrong.slice(0, 19), signed('{}', hex)], [secret])).toContain('HMAC');
  });
});
