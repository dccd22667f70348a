import { hash } from 'node:crypto';
import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import { mediaBytesMax } from './choices.ts';
import { referenceRequests } from './reference-requests.ts';
import {
  type Call,
  call,
  exchangeBytes,
  form,
  json,
  message,
  rateHeadersMissing,
  secret,
  serve,
  serveForFile,
} from './testing/served.ts';

const { served, client } = await serveForFile();

describe('answers that succeed', () => {
  it.each<[string, Call, number]>([
    ['status', { path: '/v1/status' }, 200],
    ['status, head only', { method: 'HEAD', path: '/v1/status' }, 200],
    ['sending', json('POST', '/v1/messages', message), 201],
    ['listing', { path: '/v1/messages?limit=2' }, 200],
    ['reading', { path: '/v1/messages/msg_reference' }, 200],
    ['uploading', form(1_048_576), 201],
    ['uploading the most', form(mediaBytesMax), 201],
  ])('%s', async (_name, sent, status) => {
    const answer = await call(client, sent);
    expect(answer.status).toBe(status);
    expect(rateHeadersMissing(answer)).toEqual([]);
    if (sent.method !== 'HEAD') expect(JSON.parse(answer.body)).toMatchObject({ success: true });
  });

  it('the status, which needs no route, as its route would', async () => {
    const straight = await call(client, { path: '/v1/status' });
    const routed = await call(client, { path: '/v1/status?routed' });
    const remaining = 'x-ratelimit-remaining';
    expect(Object.keys(straight.headers)).toEqual(Object.keys(routed.headers));
    expect({ ...straight, headers: { ...straight.headers, [remaining]: '' } }).toEqual({
      ...routed,
      headers: { ...routed.headers, [remaining]: '' },
    });
    expect(Number(straight.headers[remaining]) - Number(routed.headers[remaining])).toBe(1);
  });

  it('shows a message that was sent, by its id and first in the list', async () => {
    const sent = JSON.parse((await call(client, json('POST', '/v1/messages', message))).body);
    const read = await call(client, { path: `/v1/messages/${sent.data.message_id}` });
    const listed = await call(client, { path: '/v1/messages?limit=1' });
    expect(JSON.parse(read.body).data).toMatchObject({ ...message, status: 'sent' });
    expect(JSON.parse(listed.body).data).toEqual([sent.data]);
  });

  it('tells what it received of an upload', async () => {
    const { data } = JSON.parse((await call(client, form(5))).body);
    expect(data).toMatchObject({ bytes: 5, content_type: 'application/octet-stream' });
    expect(data.sha256).toBe(hash('sha256', Buffer.alloc(5, 7)));
  });
});

describe('scopes', () => {
  const remaining = async (path: string) =>
    Number((await call(client, { path })).headers['x-ratelimit-remaining']);

  it.each([
    '/v1/messages',
    '/v1/messages/',
    '/v1/%6Dessages',
    '/v1/messages/%zz',
    '/v1/messages/a/b',
    '/v1/messages?x=1',
  ])('%s takes from the window of messages', async (path) => {
    const before = await remaining('/v1/messages/msg_reference');
    await call(client, { path });
    expect(await remaining('/v1/messages/msg_reference')).toBe(before - 2);
  });

  it('count a target in absolute form by its path', async () => {
    const before = await remaining('/v1/messages/msg_reference');
    const head = `Host: a\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
    expect(await exchangeBytes(served.port, `GET http://a/v1/messages HTTP/1.1\r\n${head}`)).toMatch(
      / 200 OK/,
    );
    expect(await remaining('/v1/messages/msg_reference')).toBe(before - 2);
  });

  it('count a request once, also where the router gives up on its path', async () => {
    const before = await remaining('/v1/messages/msg_reference');
    const answer = await call(client, { path: '/v1/messages/%zz' });
    expect(Number(answer.headers['x-ratelimit-remaining'])).toBe(before - 1);
  });
});

describe('the requests of the reference profile', () => {
  it.each([
    ['standard', 'standard', 200],
    ['messages', 'messages', 201],
    ['messagesSubpath', 'messages', 200],
    ['media', 'media', 201],
    ['otherError', 'standard', 404],
  ] as const)('%s', async (name, scope, status) => {
    const { method, path } = referenceRequests[name];
    const own = await serve({ standard: 11, messages: 12, media: 13 });
    const ownClient = new Client(own.url);
    const bodies = { messages: json(method, path, referenceRequests.messages.body.json), media: form(64) };
    const answer = await call(
      ownClient,
      name === 'messages' || name === 'media' ? bodies[name] : { method, path },
    );
    expect(answer.status).toBe(status);
    expect(answer.headers['x-ratelimit-limit']).toBe({ standard: '11', messages: '12', media: '13' }[scope]);
    await ownClient.destroy();
    await own.api.close(0);
  });
});
