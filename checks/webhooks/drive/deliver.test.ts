import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { plainTransport } from '../../../contract/transport.ts';
import { answerBytesMax } from '../../../contract/webhooks/drive/trace.ts';
import { systemClock } from '../../clock.ts';
import { openStallMeter } from '../../stalls.ts';
import { webhookRequest } from './compose-request.ts';
import { deliver } from './deliver.ts';
import { wayTo } from './receiver-way.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server of raw sockets; what it was sent is what it gives. */
async function server(onRequest: (socket: Socket) => void) {
  const seen = { text: '' };
  const listening = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const isFirst = seen.text === '';
      seen.text += bytes.toString('latin1');
      if (isFirst) onRequest(socket);
    });
  });
  servers.push(listening);
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const port = (listening.address() as AddressInfo).port;
  return { seen, target: new URL(`http://127.0.0.1:${port}/hooks?a=1`) };
}

type Change = Partial<Parameters<typeof webhookRequest>[0]> & {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

async function delivered(target: URL, change: Change = {}) {
  const { timeoutMs = 20_000, signal = new AbortController().signal, ...parts } = change;
  const { nowMs } = systemClock;
  const stalls = openStallMeter(nowMs);
  const request = webhookRequest({
    host: target.host,
    userAgent: 'test',
    signatureFields: [
      ['x-Service-sIGNATURE', 'a'],
      ['X-Service-Signature', '  b \t'],
    ],
    body: Buffer.from('{"text":"ü"}'),
    framing: 'content-length',
    ...parts,
  });
  try {
    const way = wayTo(target, { transport: plainTransport, budgetMs: timeoutMs });
    return await deliver({ way, request, nowMs, stalls, timeoutMs, agent: null, signal });
  } finally {
    stalls.close();
  }
}

const answer = (text: string) => (socket: Socket) => socket.write(text);
const ok = answer('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');

describe('what is written', () => {
  it('headers in their order, spelling and number, and no others but Connection', async () => {
    const { seen, target } = await server(ok);
    expect(await delivered(target)).toMatchObject({ status: 200, answer: 'hi', failure: null });
    const [head, body] = seen.text.split('\r\n\r\n');
    expect(head?.split('\r\n')).toEqual([
      'POST /hooks?a=1 HTTP/1.1',
      `Host: ${target.host}`,
      'User-Agent: test',
      'Accept: */*',
      'Content-Type: application/json',
      'x-Service-sIGNATURE: a',
      'X-Service-Signature:   b \t',
      'Content-Length: 13',
      'Connection: close',
    ]);
    expect(Buffer.from(body ?? '', 'latin1').toString('utf8')).toBe('{"text":"ü"}');
  });

  it('chunks that break a character', async () => {
    const { seen, target } = await server((socket) => {
      socket.on('data', () => {
        if (seen.text.endsWith('0\r\n\r\n')) ok(socket);
      });
    });
    expect(await delivered(target, { framing: 'chunked' })).toMatchObject({ status: 200 });
    const chunks = seen.text.split('\r\n\r\n').slice(1).join('\r\n\r\n').split('\r\n');
    expect(chunks[1]).toBe('{"text":"Ã');
    expect(chunks.at(-3)).toBe('0');
  });

  it('half of a body, and then the end', async () => {
    const ended = Promise.withResolvers<void>();
    const { seen, target } = await server((socket) => socket.once('end', ended.resolve));
    const { status, failure } = await delivered(target, { framing: 'cut-off' });
    await ended.promise;
    expect(status).toBeNull();
    expect(failure).not.toBeNull();
    expect(seen.text).toContain('Content-Length: 13');
    expect(seen.text.split('\r\n\r\n')[1]).toHaveLength(6);
  });
});

describe('what comes back is bounded', () => {
  it('an answer that never comes, in time', async () => {
    const { target } = await server(() => undefined);
    expect(await delivered(target, { timeoutMs: 100 })).toMatchObject({
      status: null,
      failure: 'no answer within 0.1 s',
    });
  });

  it('an answer that never ends: its head counts', async () => {
    const { target } = await server(answer('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhi'));
    expect(await delivered(target, { timeoutMs: 300 })).toMatchObject({
      status: 200,
      answer: 'hi',
      failure: null,
    });
  });

  it('a long answer, in length', async () => {
    const long = 'x'.repeat(200_000);
    const { target } = await server(
      answer(`HTTP/1.1 400 Bad\r\nContent-Length: ${long.length}\r\n\r\n${long}`),
    );
    const { status, answer: kept } = await delivered(target);
    expect(status).toBe(400);
    expect(kept).toHaveLength(answerBytesMax);
  });

  it.each([
    ['a reset', (socket: Socket) => socket.resetAndDestroy(), /ECONNRESET/],
    ['an end', (socket: Socket) => socket.end(), /ECONNRESET|ended without/],
    ['what is no HTTP', answer('SSH-2.0\r\n\r\n'), /HPE_/],
  ])('%s is a failure with its code', async (_what, act, code) => {
    const { target } = await server((socket) => void act(socket));
    expect(await delivered(target)).toMatchObject({ status: null, failure: expect.stringMatching(code) });
  });

  it('an interrupted run ends it at once', async () => {
    const controller = new AbortController();
    const { target } = await server(() => controller.abort());
    const { failure } = await delivered(target, { signal: controller.signal });
    expect(failure).toBe('the run was interrupted');
    expect((await delivered(target, { signal: controller.signal })).failure).toBe('the run was interrupted');
  });
});
