import { expect, test } from 'vitest';
import { signBody } from '../../contract/webhooks/signature.ts';
import { captured } from '../../contract/webhooks/testing/captured.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { arrivalLines } from './arrival-lines.ts';

const secret = 'secret-of-a-test';
const body = '{"event":"message.read","data":{"message_id":"msg_1","n":[1]}}';

function arrived(change: Partial<Delivery> = {}, text = body): Delivery {
  return captured({
    headers: [['x-service-signature', signBody(secret, Buffer.from(text))]],
    body: { text },
    bodyBytes: Buffer.byteLength(text),
    arrivedMs: 1_760_000_040_123,
    completeMs: 1_760_000_040_123,
    answeredMs: 1_760_000_040_135,
    ...change,
  });
}

const lineOf = (delivery: Delivery, secrets: readonly string[] = [secret]) =>
  arrivalLines(delivery, { secrets, print: [] })
    .map((line) => line.replaceAll(/ +/g, ' '))
    .join('\n');

const forwarded = { sentMs: 5, receivedMs: 17.4, status: 404, headers: [], answer: 'no', failure: null };
const doubled: Delivery['headers'] = [...arrived().headers, ...arrived().headers];

test.each<readonly [Partial<Delivery>, string]>([
  [{}, '08:54:00.123 message.read msg_1 signature ok answered 200 12 ms'],
  [{ headers: [] }, 'message.read msg_1 signature – answered 200'],
  [{ headers: [['X-Service-Signature', 'sha256=00']] }, 'signature ? answered 200'],
  [{ headers: doubled }, 'signature ?'],
  [{ forwarded }, 'signature ok -> 404 12 ms'],
  [
    {
      forwarded: {
        ...forwarded,
        status: null,
        receivedMs: null,
        failure: 'connection refused (ECONNREFUSED)',
      },
    },
    '-> connection refused (ECONNREFUSED); answered 502',
  ],
  [{ status: null, answeredMs: null }, 'not answered'],
  [{ completeMs: null, status: null, answeredMs: null }, '08:54:00.123 POST /hooks signature ok broke off'],
  [{ bodyBytes: 900 }, 'POST /hooks'],
  [{ body: { base64: '/w==' }, bodyBytes: 1, method: 'GET', path: '/favicon.ico' }, 'GET /favicon.ico'],
])('%j', (change, expected) => {
  expect(lineOf(arrived(change))).toContain(expected);
});

test('without a secret no signature is called anything', () => {
  expect(lineOf(arrived(), [])).toContain('signature – ');
});

test('headers and body are below it, indented, and harmless', () => {
  const shown = arrivalLines(arrived({ headers: [['X-A', 'b\u001b[2J']] }), {
    secrets: [],
    print: ['headers', 'body'],
  });
  expect(shown.slice(1, 4)).toEqual(['    X-A: b\\x1b[2J', '    {', '      "event": "message.read",']);
  const text = arrivalLines(arrived({}, 'a\n::error::b\n'), { secrets: [], print: ['body'] });
  expect(text.slice(1)).toEqual(['    a', '    : :error: :b', '    ']);
});

test('a body that nests deeper than it can be written is shown as it is', () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const [, shown = '', rest] = arrivalLines(arrived({}, deep), { secrets: [], print: ['body'] });
  expect(shown).toHaveLength(20_004);
  expect(rest).toBe('    … (60000 characters)');
});
