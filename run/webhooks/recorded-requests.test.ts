import { expect, test } from 'vitest';
import { formatLine } from '../../contract/ndjson.ts';
import { captured, capturedHeader as header } from '../../contract/webhooks/testing/captured.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import { recordedRequests } from './recorded-requests.ts';

const requestsIn = (...deliveries: readonly Delivery[]) =>
  recordedRequests({ path: 'x', text: [header, ...deliveries].map(formatLine).join('') }, 'there:1');

test('headers keep their order and spelling, but for those of the connection and of others’ secrets', () => {
  const headers: Delivery['headers'] = [
    ['host', 'here:2'],
    ['X-SERVICE-signature', 'sha256=a'],
    ['x-service-signature', 'sha256=b'],
    ['Connection', 'close'],
    ['content-length', '99'],
    ['Authorization', '(withheld)'],
    ['Content-Type', 'application/json'],
  ];
  expect(requestsIn(captured({ headers }))[0]?.request).toEqual({
    headers: [
      ['Host', 'there:1'],
      ['X-SERVICE-signature', 'sha256=a'],
      ['x-service-signature', 'sha256=b'],
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
    ],
    body: Buffer.from('{}'),
    framing: 'content-length',
  });
});

test('bytes that are no text come back as they were, and chunks as chunks', () => {
  const bytes = Buffer.from([0xff, 0x00, 0xc3]);
  const [recorded] = requestsIn(
    captured({
      headers: [['Transfer-Encoding', 'chunked']],
      body: { base64: bytes.toString('base64') },
      bodyBytes: 3,
    }),
  );
  expect(recorded?.request?.body).toEqual(bytes);
  expect(recorded?.request?.framing).toBe('chunked');
  expect(recorded?.request?.headers).toContainEqual(['Transfer-Encoding', 'chunked']);
});

test.each([
  ['two words', 'x'],
  ['X-Note', 'x\r\nX-Forged: y'],
  ['X-Note', '\u0007'],
  ['X-Note', '多'],
])('a header that cannot be sent is refused with its line: %j', (...bad) => {
  expect(() => requestsIn(captured({}), captured({ index: 1, headers: [bad] }))).toThrow(
    /^x cannot be replayed: line 3 \(delivery 1\) has a header that cannot be sent: /,
  );
});

test('what did not arrive whole is not sent', () => {
  const [brokenOff, tooLong] = requestsIn(
    captured({ completeMs: null }),
    captured({ index: 1, bodyBytes: 3 }),
  );
  expect(brokenOff).toMatchObject({ request: null, why: 'it broke off' });
  expect(tooLong).toMatchObject({
    request: null,
    why: 'it was not kept whole: it was too long, or held the secret',
  });
});

test.each([
  ['', 'is no trace of webhooks'],
  ['{"kind":"trace"}\n', 'is no trace of webhooks'],
  ['{"kind":"webhook-trace"}\n', 'cannot be replayed: line 1'],
  ['{"kind":"webhook-drive"}\n', 'cannot be replayed: line 1'],
])('%j is refused, with the reason', (text, says) => {
  expect(() => recordedRequests({ path: 'x', text }, 'h')).toThrow(says);
});
