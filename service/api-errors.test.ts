import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import { errorBodySchema } from '../contract/error-body.ts';
import { mediaBytesMax } from './choices.ts';
import {
  type Call,
  call,
  exchangeBytes,
  form,
  json,
  message,
  rateHeadersMissing,
  secret,
  serveForFile,
} from './testing/served.ts';

const { served, client } = await serveForFile(({ app }) => {
  app.get('/v1/broken', () => {
    throw new Error('a secret of the insides');
  });
});

describe('answers that fail', () => {
  it.each<[string, Call, number, string]>([
    ['an unknown path', { path: '/v1/no-such-resource' }, 404, 'not_found'],
    ['an unknown path with a body that is no JSON', json('POST', '/v1/nowhere', '{'), 404, 'not_found'],
    ['an unknown message', { path: '/v1/messages/msg_0000999999' }, 404, 'not_found'],
    ['another method', { method: 'DELETE', path: '/v1/messages' }, 405, 'method_not_allowed'],
    [
      'another method with any body',
      { method: 'PUT', path: '/v1/media', body: 'x' },
      405,
      'method_not_allowed',
    ],
    ['a path that is none', { path: '/v1/messages/%zz' }, 400, 'bad_request'],
    ['an endless path', { path: `/v1/messages/${'a'.repeat(500)}` }, 414, 'uri_too_long'],
    ['broken JSON', json('POST', '/v1/messages', '{"recipient":'), 400, 'invalid_json'],
    ['no JSON', json('POST', '/v1/messages', ''), 400, 'invalid_json'],
    [
      'JSON that reaches for prototypes',
      json('POST', '/v1/messages', '{"__proto__":{}}'),
      400,
      'invalid_json',
    ],
    ['wrong fields', json('POST', '/v1/messages', { ...message, recipient: '+1' }), 422, 'invalid_request'],
    ['fields too many', json('POST', '/v1/messages', { ...message, to: '1' }), 422, 'invalid_request'],
    ['no object', json('POST', '/v1/messages', [message]), 422, 'invalid_request'],
    ['a wrong query', { path: '/v1/messages?limit=0' }, 422, 'invalid_request'],
    [
      'too much JSON',
      json('POST', '/v1/messages', { ...message, body: 'x'.repeat(70_000) }),
      413,
      'payload_too_large',
    ],
    [
      'text for JSON',
      { method: 'POST', path: '/v1/messages', headers: { 'content-type': 'text/plain' }, body: 'hi' },
      415,
      'unsupported_media_type',
    ],
    ['a form for JSON', { ...form(9), path: '/v1/messages' }, 415, 'unsupported_media_type'],
    ['JSON for a form', json('POST', '/v1/media', message), 415, 'unsupported_media_type'],
    ['a file too large by a byte', form(mediaBytesMax + 1), 413, 'payload_too_large'],
    ['a file far too large', form(mediaBytesMax + 2_000_000), 413, 'payload_too_large'],
    [
      'a form without a boundary',
      { ...form(9), headers: { 'content-type': 'multipart/form-data' } },
      400,
      'bad_request',
    ],
    ['a form without an end', { ...form(9), body: form(9).body.subarray(0, -20) }, 400, 'bad_request'],
    [
      'a form without a file',
      {
        ...form(9),
        body: '--frontier\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--frontier--\r\n',
      },
      422,
      'invalid_request',
    ],
    ['a fault of our own', { path: '/v1/broken' }, 500, 'internal_error'],
  ])(
    '%s: documented body, rate-limit headers, and the connection goes on',
    async (_name, sent, status, code) => {
      const own = new Client(served.url);
      const before = served.connections();
      const answer = await call(own, sent);
      expect(answer.status).toBe(status);
      expect(rateHeadersMissing(answer)).toEqual([]);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      const { error } = errorBodySchema.parse(JSON.parse(answer.body));
      expect(error.code).toBe(code);
      expect(error.message).toMatch(/\S/);
      expect(answer.body).not.toContain('insides');
      expect((await call(own, {})).status).toBe(200);
      expect(served.connections()).toBe(before + 1);
      await own.destroy();
    },
  );

  it('name the fields that are wrong', async () => {
    const answer = await call(client, json('POST', '/v1/messages', { recipient: 'me', type: 'image' }));
    const { message: text } = errorBodySchema.parse(JSON.parse(answer.body)).error;
    expect(text).toMatch(/recipient: .*digits.*type: must be "text".*body: /);
  });

  it('name the methods that a path answers', async () => {
    expect((await call(client, { method: 'PATCH', path: '/v1/messages' })).headers['allow']).toBe(
      'GET, HEAD, POST',
    );
  });

  it.each([
    ['no HTTP', 'nonsense\r\n\r\n', '400', 'bad_request'],
    [
      'a head too large',
      `GET / HTTP/1.1\r\nHost: a\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431',
      'headers_too_large',
    ],
    ['no host', `GET /v1/status HTTP/1.1\r\nAuthorization: Bearer ${secret}\r\n\r\n`, '400', 'bad_request'],
    [
      'chunks that are none',
      `POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      '400',
      'bad_request',
    ],
  ])('%s is answered in the documented body', async (_name, bytes, status, code) => {
    const answer = await exchangeBytes(served.port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(errorBodySchema.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).error.code).toBe(code);
  });

  it('carry the rate-limit headers also where the body of a counted request breaks off', async () => {
    const head = `POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\n`;
    const body = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    expect(await exchangeBytes(served.port, head + body)).toMatch(
      /^HTTP\/1.1 400 .*X-RateLimit-Limit: 10000\r\n/s,
    );
  });

  it('come after the answer to the request before them, though both are in one packet', async () => {
    const request = `GET /v1/status HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
    const answers = await exchangeBytes(served.port, `${request}no request\r\n\r\n`, /bad_request/);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});
