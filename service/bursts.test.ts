import { connect } from 'node:net';
import { Client, Pool } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { errorBodySchema } from '../contract/error-body.ts';
import { call, exchangeBytes, form, type ServedApi, secret, serve } from './testing/served.ts';

const open: ServedApi[] = [];

afterEach(async () => {
  for (const served of open.splice(0)) await served.api.close(0);
});

async function started(limits: Parameters<typeof serve>[0]): Promise<ServedApi> {
  const served = await serve(limits);
  open.push(served);
  return served;
}

/** The form of an upload, in pieces, so that its answer can come before it is sent. */
async function* inPieces(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += 16_384) {
    await new Promise(setImmediate);
    yield body.subarray(at, at + 16_384);
  }
}

describe('bursts', () => {
  it('admits exactly the limit of 450 requests at once', async () => {
    const served = await started({});
    const pool = new Pool(served.url, { connections: 100 });
    const sent = {
      method: 'POST',
      path: '/v1/messages',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{"recipient":"15550002000","body":"x"}',
    } as const;
    const answers = await Promise.all(
      Array.from({ length: 450 }, async () => {
        const answer = await pool.request(sent);
        await answer.body.dump();
        return { status: answer.statusCode, remaining: Number(answer.headers['x-ratelimit-remaining']) };
      }),
    );
    const admitted = answers.filter(({ status }) => status === 201);
    expect(admitted).toHaveLength(300);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(150);
    expect(new Set(admitted.map(({ remaining }) => remaining)).size).toBe(300);
    await pool.destroy();
  });

  it('answers uploads over the limit while they are being sent, without losing a connection', async () => {
    const served = await started({ media: 3 });
    const clients = Array.from({ length: 12 }, () => new Client(served.url));
    const upload = form(1_048_576);
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        clients.map((client) => call(client, { ...upload, body: inPieces(upload.body) })),
      );
      const limited = answers.filter(({ status }) => status === 429);
      expect(limited).toHaveLength(round === 0 ? 9 : 12);
      for (const { body } of limited) expect(errorBodySchema.parse(JSON.parse(body)).success).toBe(false);
    }
    expect(served.connections()).toBe(12);
    for (const client of clients) await client.destroy();
  });

  it('does the same for uploads without a valid key', async () => {
    const served = await started({});
    const client = new Client(served.url);
    const upload = form(1_048_576);
    const headers = { ...upload.headers, authorization: 'Bearer unknown' };
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await call(client, { ...upload, headers, body: inPieces(upload.body) })).status).toBe(401);
    }
    expect(served.connections()).toBe(1);
    await client.destroy();
  });

  it('answers a refused upload whose body never comes', async () => {
    const served = await started({ media: 1 });
    const client = new Client(served.url);
    await call(client, form(1));
    const head = `POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nContent-Length: 1000000\r\n`;
    const bytes = `${head}Content-Type: multipart/form-data; boundary=a\r\n\r\n--a`;
    expect(await exchangeBytes(served.port, bytes)).toMatch(/^HTTP\/1.1 429 /);
    await client.destroy();
  });

  it('gives up a connection whose refused body has no end', async () => {
    const served = await started({});
    const head = 'POST /v1/media HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(1_048_576, 65),
      Buffer.from('\r\n'),
    ]);
    const socket = connect(served.port, '127.0.0.1');
    socket.write(head);
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    const ended = new Promise((resolve) => socket.on('close', resolve).on('error', resolve));
    let chunks = 0;
    while (chunks < 200 && !socket.destroyed) {
      await new Promise((resolve) => socket.write(chunk, resolve));
      chunks += 1;
    }
    await ended;
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    expect(chunks).toBeLessThan(200);
  });

  it('survives clients that leave in the middle of an upload', async () => {
    const served = await started({});
    const upload = form(1_048_576);
    const head = `POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nContent-Length: ${upload.body.length}\r\n`;
    for (let gone = 0; gone < 10; gone += 1) {
      const socket = connect(served.port, '127.0.0.1');
      const type = 'Content-Type: multipart/form-data; boundary=frontier\r\n\r\n';
      await new Promise((resolve) =>
        socket.write(`${head}${type}${upload.body.subarray(0, 5_000)}`, resolve),
      );
      socket.resetAndDestroy();
    }
    const client = new Client(served.url);
    expect((await call(client, upload)).status).toBe(201);
    await client.destroy();
  });
});
