import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseBody } from '../../contract/error-body.ts';
import { webhookCaseOf } from './case.ts';
import { judgeSignature } from './signature.ts';
import { isConventional, likelyCause, type SignatureFit, signatureFit } from './signature-fits.ts';
import { delivery, eventText, traceOf } from './testing/deliveries.ts';

const secret = 'c2VjcmV0LW9mLWEtdGVzdA==';

function fitting(
  signature: string,
  text: string,
  headers: readonly (readonly [string, string])[] = [],
): SignatureFit | null {
  const bytes = Buffer.from(text);
  return signatureFit({
    signature,
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
    signature: '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
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
      { over: 'the JSON written anew, "/" escaped (as PHP does)' },
    ],
    [
      'Python',
      hmac(secret, text.replace('ü', '\\u00fc')).digest('hex'),
      { over: 'the JSON written anew with spaces (as Python does)' },
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

test.each([
  ['a'.repeat(64), 'another secret is likely'],
  ['a'.repeat(40), 'SHA-1'],
  ['a'.repeat(63), 'was it cut off?'],
  [`${'A'.repeat(43)}=`, 'SHA-256 in base64'],
  ['?', '1 characters of an unknown form'],
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
  const verdict = judgeSignature(webhookCaseOf(trace, { secrets: ['old', 'new'], beside: null }));
  expect(verdict.kind === 'observed' ? verdict.value.split('; ') : []).toEqual([
    'HMAC-SHA256 over the exact bytes of the body, by the secret as it is (secret 1), as lower-case hex: 1 of 4',
    'HMAC-SHA256 over the exact bytes of the body, by the secret as it is (secret 2), as lower-case hex: 2 of 4',
    'no computation in common use fits 1: it has the form of SHA-256 in hex, so another secret is likely',
  ]);
});
