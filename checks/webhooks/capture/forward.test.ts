import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { type Delivery, deliveryBytesMax } from '../../../contract/webhooks/trace.ts';
import { systemClock } from '../../clock.ts';
import { answerPlan } from './answer-plan.ts';
import { openForwarder } from './forward.ts';
import { openReceiver, receiverBounds } from './receiver.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Setting = {
  readonly port: number;
  readonly events?: readonly string[];
  readonly budgetMs?: number;
};

/** A receiver whose deliveries go on to a port of this machine. */
async function forwardingTo({ port, events, budgetMs = 5_000 }: Setting) {
  const deliveries: Delivery[] = [];
  const { nowMs } = systemClock;
  const target = new URL(`http://127.0.0.1:${port}/mine?x=1`);
  const receiver = await openReceiver({
    host: '127.0.0.1',
    port: 0,
    plan: answerPlan([]),
    slowMs: 0,
    bounds: receiverBounds,
    forwarder: openForwarder({ target, events: events ?? null, budgetMs, nowMs }),
    nowMs,
    onDelivery: (delivery) => deliveries.push(delivery),
  });
  closers.push(() => receiver.close());
  return { url: receiver.url, deliveries };
}

/** A receiver of somebody else. */
async function theirs(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

it('sends on the same header lines and bytes, and gives the same answer back', async () => {
  let came = Buffer.alloc(0);
  const server = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      came = Buffer.concat([came, chunk]);
      if (!came.includes('}')) return;
      socket.end(
        'HTTP/1.1 422 Unprocessable Content\r\nX-One: a\r\nSet-Cookie: session=of-the-receiver\r\nx-one: b\r\nContent-Length: 3\r\n\r\nnot',
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const { url, deliveries } = await forwardingTo({ port: (server.address() as AddressInfo).port });
  const sender = connect(Number(new URL(url).port), '127.0.0.1');
  const head = [
    'PUT /theirs HTTP/1.1',
    'Host: outside.example',
    'X-service-SIGNATURE: sha256=1',
    'Authorization: Bearer of-the-subscriber',
    'x-service-signature: sha256=2',
    'Connection: close, X-Hop',
    'x-hop: of this connection alone',
    'Content-Length: 4',
  ];
  const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
  sender.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
  const answer = (await buffer(sender)).toString();
  const [sentOn = '', bytes] = came.toString('latin1').split('\r\n\r\n');
  expect(sentOn.split('\r\n')).toEqual([
    'PUT /mine?x=1 HTTP/1.1',
    expect.stringMatching(/^Host: 127\.0\.0\.1:\d+$/),
    'X-service-SIGNATURE: sha256=1',
    'Authorization: Bearer of-the-subscriber',
    'x-service-signature: sha256=2',
    'Content-Length: 4',
    'Connection: close',
  ]);
  expect(Buffer.from(bytes ?? '', 'latin1')).toEqual(body);
  expect(answer).toMatch(/^HTTP\/1\.1 422 /);
  expect(answer).toContain(
    'X-One: a\r\nSet-Cookie: session=of-the-receiver\r\nx-one: b\r\nContent-Length: 3\r\n',
  );
  expect(answer).toMatch(/\r\n\r\nnot$/);
  await expect.poll(() => deliveries).toHaveLength(1);
  expect(deliveries[0]).toMatchObject({
    path: '/theirs',
    answer: 'other',
    status: 422,
    forwarded: {
      status: 422,
      answer: 'not',
      failure: null,
      headers: expect.arrayContaining([['Set-Cookie', '(withheld)']]),
    },
  });
  expect(JSON.stringify(deliveries)).not.toMatch(/of-the-(receiver|subscriber)/);
});

it('sends on the events that are named, and answers the others itself', async () => {
  const seen: string[] = [];
  const port = await theirs(async (request, response) => {
    seen.push((await buffer(request)).toString());
    response.writeHead(204).end();
  });
  const { url, deliveries } = await forwardingTo({ port, events: ['message.read'] });
  const texts = ['{"event":"message.read"}', '{"event":"message.sent"}', 'message.read'];
  const statuses: number[] = [];
  for (const body of texts) statuses.push((await fetch(url, { method: 'POST', body })).status);
  expect(statuses).toEqual([204, 200, 200]);
  expect(seen).toEqual(texts.slice(0, 1));
  expect(deliveries.map(({ answer, forwarded }) => [answer, forwarded?.status])).toEqual([
    ['ok', 204],
    ['ok', undefined],
    ['ok', undefined],
  ]);
});

it.each([
  ['nobody listens', () => Promise.resolve(9), {}, /ECONNREFUSED/],
  ['no answer comes in time', () => theirs(() => undefined), { budgetMs: 100 }, /^no answer within 0\.1 s$/],
  ['the connection ends', () => theirs(({ socket }) => socket.destroy()), {}, /ECONNRESET|ended|closed/],
])('answers 502 where %s', async (_what, portOf, budget, why) => {
  const { url, deliveries } = await forwardingTo({ port: await portOf(), ...budget });
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(502);
  expect(deliveries).toMatchObject([
    { answer: 'other', status: 502, forwarded: { status: null, failure: expect.stringMatching(why) } },
  ]);
});

it('sends on nothing that it could not keep whole', async () => {
  const port = await theirs((_request, response) => response.end());
  const { url, deliveries } = await forwardingTo({ port });
  const answer = await fetch(url, { method: 'POST', body: Buffer.alloc(deliveryBytesMax + 1, 'a') });
  expect(answer.status).toBe(502);
  expect(deliveries[0]?.forwarded?.failure).toContain('the body is longer than');
});

it('is done with a delivery whose sender left while the answer was awaited', async () => {
  const leaving = new AbortController();
  const awaited: ServerResponse[] = [];
  const port = await theirs((_request, response) => {
    awaited.push(response);
    leaving.abort();
  });
  const { url, deliveries } = await forwardingTo({ port });
  await fetch(url, { method: 'POST', body: '{}', signal: leaving.signal }).catch(() => null);
  await expect.poll(() => deliveries).toHaveLength(1);
  expect(deliveries[0]).toMatchObject({ answer: 'none', status: null, answeredMs: null });
  for (const response of awaited) await new Promise<void>((resolve) => response.end('late', resolve));
  expect(deliveries).toHaveLength(1);
});

it.each(['000', '099', '199'])(
  'tells its sender of no answer where that has the status %s',
  async (status) => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    const { url, deliveries } = await forwardingTo({ port: (server.address() as AddressInfo).port });
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(502);
    await vi.waitFor(() => expect(deliveries).toHaveLength(1));
    expect(deliveries[0]).toMatchObject({
      answer: 'other',
      status: 502,
      forwarded: { status: null, receivedMs: null },
    });
  },
);
